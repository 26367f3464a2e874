# The spider of angler bench, as Scrapy's own tutorial writes one that follows links.
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Pages(CrawlSpider):
    name = "pages"

    def __init__(self, seeds, files):
        self.start_urls = seeds.split(",")
        links = LinkExtractor(allow_domains=["test"], deny_extensions=files.split(","))
        self.rules = (Rule(links, callback="seen", follow=True),)
        super().__init__()

    def seen(self, response):
        return None

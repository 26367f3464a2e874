(() => {
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport', 'WebSocketStream', 'PresentationRequest'])
    try { delete window[name]; } catch (e) {}
  for (const [name, value] of [['alert', undefined], ['confirm', false], ['prompt', null], ['print', undefined], ['open', null]])
    try { Object.defineProperty(window, name, {value: () => value, writable: true, configurable: true}); } catch (e) {}
  try { delete Navigator.prototype.serviceWorker; } catch (e) {}
})();

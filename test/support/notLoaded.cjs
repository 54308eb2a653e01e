// n8n-core loads libraries for language models and for SSH, a quarter of its files, which no engine
// test reaches. Each test file would load them anew.
class NotLoaded {}
module.exports = new Proxy({}, { get: () => NotLoaded });

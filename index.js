// n8n loads the files that package.json lists under "n8n"; this entry point only makes the package resolvable by name.
module.exports = {};

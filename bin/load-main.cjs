"use strict";
/*
 * Loads the bundled program. A file of its own because `import()` does not parse on the old Nodes
 * that bin/sylk.cjs has to talk to first.
 */
module.exports = function loadMain(file) {
  return import(require("url").pathToFileURL(file).href);
};

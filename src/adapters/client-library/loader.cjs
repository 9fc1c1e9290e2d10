const builtIn = {};
((exports, require) => {
__LIBRARY_TEXT__
})(builtIn, load);

/** The developer's copy, else the installed one, else the built-in one. */
function openLibrary(home, warn) {
  const ours = { ...builtIn, nudge() {} }; // advice comes from an installed copy alone
  const override = process.env.SYLK_CLIENT_LIBRARY;
  const folder = load("node:path").join(home, "hooks");
  const file = override || load("node:path").join(folder, "__LIBRARY_FILE__");
  if (!override && !load("node:fs").existsSync(file)) return ours;
  try {
    const text = trustedText(file);
    if (!override) checkRecord(load("node:path").join(folder, "__RECORD_FILE__"), text);
    const found = {};
    new Function("exports", "require", text)(found, load);
    const lacking = Object.keys(builtIn).filter((name) => typeof found[name] !== typeof builtIn[name]);
    if (lacking.length > 0) throw new Error("it lacks " + lacking.join(", "));
    if (found.version !== builtIn.version)
      warn("Sylk: this integration is of version " + builtIn.version + " and uses the library of " + found.version + '; "sylk upgrade" or an update of the plugin brings them together');
    return found;
  } catch (error) {
    warn("Sylk: " + file + " is not used (" + error.message + "), but the copy in this integration; " + (override ? "unset or mend SYLK_CLIENT_LIBRARY" : '"sylk upgrade" writes it anew'));
    return ours;
  }
}

/** Only of a plain file that belongs to the user and that no other user may write. */
function trustedText(file) {
  const { closeSync, constants, fstatSync, openSync, readFileSync } = load("node:fs");
  const opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(opened);
    if (!found.isFile()) throw new Error("it is not a plain file");
    if (process.getuid && found.uid !== process.getuid()) throw new Error("it belongs to another user");
    if ((found.mode & 0o022) !== 0) throw new Error("others may write it");
    return readFileSync(opened, "utf8");
  } finally {
    closeSync(opened);
  }
}

function checkRecord(file, text) {
  const { version, sha256 } = recordIn(file);
  if (load("node:crypto").createHash("sha256").update(text).digest("hex") !== sha256) throw new Error("its checksum is not the recorded one");
  if (isOlder(version, builtIn.version)) throw new Error("it is of version " + version + ", older than " + builtIn.version);
}

function recordIn(file) {
  try {
    const { version, sha256 } = JSON.parse(trustedText(file));
    return { version: String(version), sha256 };
  } catch (error) {
    throw new Error("no checksum can be found for it: " + error.message);
  }
}

function isOlder(one, other) {
  const [ours, theirs] = [one, other].map((text) => text.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0));
  const at = [0, 1, 2].find((index) => (ours[index] ?? 0) !== (theirs[index] ?? 0));
  return at !== undefined && (ours[at] ?? 0) < (theirs[at] ?? 0);
}

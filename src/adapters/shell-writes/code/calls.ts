/** Functions of the languages that write files, start programs or make paths, by their name; the others are judged by their module. */
import { mapped } from "../field.ts";
import {
  address,
  callback,
  children,
  content,
  folderOf,
  formats,
  globs,
  join,
  listed,
  nameOf,
  path,
  replaced,
  same,
  sliced,
  suffixed,
  walk,
  words,
} from "./path-rules.ts";
import type { Call, Rule } from "./reader.ts";
import { argvList, shell } from "./start-rules.ts";
import { listOf, nothing, texts, unknown } from "./value.ts";
import {
  copies,
  each,
  eachBelow,
  inPlace,
  links,
  openFile,
  opens,
  perlOpen,
  renames,
  unpacks,
  writes,
} from "./write-rules.ts";

const files =
  "os|shutil|fs|fsp|fse|fs-extra|fs\\.promises|fs/promises|promises|FileUtils|File|IO|Dir|Deno|Bun|Path|Pathname|posix|File::Copy|File::Path|io|codecs|pathlib|jetpack|fileinput|tarfile|zipfile|gzip|bz2|lzma|tempfile|lfs";
/** A module whose functions may write; also by another name that the code gave it. */
const fileModule = new RegExp(`(?:^|\\.)(?:${files})$`);
export const isFileModule = (owner: string): boolean => owner.length > 1 && fileModule.test(owner);
export const isProcessModule = (owner: string): boolean =>
  /(?:^|\.)(?:subprocess|child_process|Open3|Process|Kernel|pty|asyncio|execa|shelljs|zx)$/.test(owner);

/** Functions that write or start something, whatever they belong to. */
const writing: Readonly<Record<string, Rule>> = {
  ...byName(
    "writeFile writeFileSync appendFile appendFileSync createWriteStream outputFile outputFileSync outputJson outputJsonSync writeJson writeJsonSync writeJSON file_put_contents write_file append_file edit_file writeTextFile writeTextFileSync binwrite rmdirSync unlinkSync mkdirSync mkdtempSync truncateSync chmodSync chownSync utimesSync write_bytes_to writeHeapSnapshot writeReport",
    writes([0]),
  ),
  ...byName(
    "rmSync removeSync emptyDirSync emptyDir rmtree remove_tree rm_rf rm_r remove_dir remove_entry remove_entry_secure deltree",
    eachBelow,
  ),
  ...byName("write_text write_bytes spew spew_utf8 spew_raw append_utf8 touchpath", writes([-1])),
  ...byName("copyFile copyFileSync copyfile copymode copystat", writes([1])),
  ...byName("symlinkSync linkSync symlink_to hardlink_to", links),
  ...byName("cpSync copySync copytree cp_r dircopy rcopy", copies(0, 1, false, true)),
  ...byName("renameSync renames moveSync", renames),
  link_to: writes([0]),
  ...byName("unpack_archive extractall extractAll extractAllTo", unpacks),
  ...byName(
    "execSync spawnSync execFileSync execFile shell_exec passthru proc_open check_call check_output getoutput getstatusoutput Popen capture2 capture3 capture2e popen3 execa execaSync execaCommand",
    shell,
  ),
  ...byName("mkdir_p makedirs removedirs make_path mkpath ensureDir ensureDirSync ensureFile ensureFileSync", each),
};

/** A function that writes, handed on instead of called: `Thread(target=path.write_text)`. Of a path also by shorter names. */
export function isWriter(name: string, isOfPath: boolean): boolean {
  return (
    Object.hasOwn(writing, name) || (isOfPath && /^(?:unlink|rename|replace|touch|rmdir|chmod|delete)$/.test(name))
  );
}

/** Rules for any call of the name. */
const anywhere: Readonly<Record<string, Rule>> = {
  ...writing,
  fopen: opens,
  ...byName("ZipFile TarFile GzipFile BZ2File LZMAFile FileIO", opens),
  ...byName("store nstore lock_store lock_nstore dbmopen", writes([1])),
  creat: writes([0]),
  ...byName("cwd getcwd pwd getwd currentdir", ({ args, receiver }) =>
    args.length === 0 && receiver?.isPath !== true ? { ...texts("."), isPath: true } : unknown,
  ),
  sysopen: (call, reader) => reader.write(call.args[1]),
  rglob: globs,
  iglob: globs,
  globSync: globs,
  iterdir: children,
  children,
  readdirSync: listed,
  readdir: listed,
  listdir: listed,
  scandir: children,
  joinpath: join,
  catfile: join,
  catdir: join,
  join,
  implode: join,
  with_suffix: suffixed,
  with_name: suffixed,
  with_stem: suffixed,
  sprintf: formats,
  format: formats,
  slice: sliced,
  replace: replaced,
  replaceAll: replaced,
  sub: ({ receiver }) =>
    receiver === undefined || receiver.content !== undefined ? nothing : { ...receiver, isKnown: false },
  fileURLToPath: ({ args }) => args[0],
  pathToFileURL: ({ args }) => args[0],
  URL: address,
  resolve: (call, reader) => (/(?:^|\.)(?:path|posix)$/.test(call.owner) ? path(call, reader) : same(call, reader)),
  ...byName("b64decode atob decode_base64 base64_decode decode64 strict_decode64", ({ args }) => ({
    fields: (args[0]?.fields ?? []).map((one) => mapped(one, (text) => Buffer.from(text, "base64").toString())),
    isKnown: args[0]?.isKnown === true,
  })),
  abspath: path,
  realpath: path,
  expanduser: path,
  normalize: path,
  normpath: path,
  expand_path: path,
  Path: path,
  PurePath: path,
  PosixPath: path,
  Pathname: path,
  ...byName(
    "str String fspath strip trim trimEnd trimStart rstrip lstrip chomp toString to_s as_posix decode absolute sorted list set tuple reversed filter sort sort_by select reject reverse uniq Array from concat compact flatten grep to_a values flat keys",
    same,
  ),
  ...byName("split splitlines lines each_line lines_array readlines split_lines explode", words),
  ...byName("map flatMap collect flat_map", callback),
  ...byName(
    "readFile readFileSync read_text read_bytes file_get_contents read slurp slurp_utf8 load loads parse readTextFile readTextFileSync readLines",
    content,
  ),
  enumerate: ({ args }) => listOf([texts("0"), args[0] ?? unknown]),
  basename: nameOf,
  dirname: folderOf,
  shift: ({ receiver, args }, { operands }) =>
    receiver === undefined && args.length === 0 ? { fields: operands, isKnown: true } : (receiver ?? args[0]),
  chdir: ({ args }, { changeFolder }) => changeFolder(args[0]),
  writeLines: writes([1]),
  urlretrieve: writes([1]),
  saveRDS: writes([1]),
  unlink: (call, reader) => {
    if (call.args.length > 0) return each(call, reader);
    reader.write(call.receiver ?? reader.input());
  },
};

/** Rules for a function of a module of files, or for one without a module: `os.remove`, `rename` imported by its name. */
const ofFiles: Readonly<Record<string, Rule>> = {
  ...byName("remove delete rmdir truncate mkdir mkdtemp chown utime utimes lutimes touch mknod mkfifo", each),
  ...byName("create write copy_stream sink setxattr save output", writes([0])),
  ...byName("rm rm_f safe_unlink remove_file", eachBelow),
  ...byName("rename rename_file", renames),
  ...byName("copy copy2 cp copy_file install copy_entry", copies(0, 1)),
  ...byName("move mv", copies(0, 1, true)),
  ...byName("link symlink ln ln_s ln_sf", links),
  chmod: ({ args, owner }, { write, language }) =>
    write(args[["perl", "ruby"].includes(language) || owner === "FileUtils" ? 1 : 0]),
  open: opens,
  openSync: opens,
  new: opens,
  glob: globs,
  walk,
  find: children,
  entries: listed,
  input: inPlace,
  FileInput: inPlace,
  extract: ({ args, named }, { write }) => write(args[1] ?? named.get("path") ?? texts("."), { below: true }),
};

const ofProcesses: Readonly<Record<string, Rule>> = {
  ...byName(
    "system popen exec run call spawn spawnl spawnlp spawnv spawnvp posix_spawn fork execute execl execlp execle execvp execv execve shell create_subprocess_shell create_subprocess_exec qx command",
    shell,
  ),
};
function byName(names: string, rule: Rule): Record<string, Rule> {
  return Object.fromEntries(names.split(" ").map((name) => [name, rule]));
}

/** Methods of objects that write a file named by their first argument: `frame.to_csv("a")`, `image.save("a")`. */
const saving =
  /^(?:save\w*|to_(?:csv|json|excel|parquet|html|pickle|feather|hdf|sql|xml|markdown|latex)|write_(?:csv|json|parquet|image|html|video)|dump_to\w*|export\w*|output_to\w*|savefig|imwrite|imsave|write\.(?:csv|table))$/;

/** `cat(x, file = "a")`, `write.csv(x, "a")`, `file.remove("a")`: a dot is part of a name in R. */
function ruleOfR(name: string, owner: string): Rule | undefined {
  const full = owner === "" ? name : `${owner}.${name}`;
  if (/^(?:read|load|source|scan|readLines|readRDS|file\.(?:exists|info|size|path)|list\.files)/.test(full))
    return undefined;
  if (/^(?:file\.(?:remove|create|append|rename)|unlink|sink|png|pdf|svg|jpeg|ggsave|dir\.create)$/.test(full))
    return each;
  if (full === "file.copy") return copies(0, 1);
  if (/^(?:write(?:\.\w+|_\w+|Lines|)|saveRDS|fwrite|dput|dump|write\w*)$/.test(full))
    return ({ args, named }, { write }) => write(named.get("file") ?? named.get("con") ?? args[1] ?? texts("data"));
  return ({ named }, { write }) => {
    if (named.get("file") !== undefined) write(named.get("file"));
  };
}

/** A log is written as soon as it is opened; a tree of XML by its own method. */
const ofModules: Readonly<Record<string, { readonly names: RegExp; readonly rule: Rule }>> = {
  logging: {
    names: /^(?:basicConfig|(?:\w+)?FileHandler)$/,
    rule: ({ args, named }, { write }) => {
      const file = named.get("filename") ?? args[0];
      if (file !== undefined) write(file);
    },
  },
  xml: {
    names: /^write$/,
    rule: ({ args, named }, { write }) => {
      const file = args[0] ?? named.get("file_or_filename");
      if (file !== undefined && (!file.isKnown || file.fields.some(({ text }) => /^[\w@./-]+$/.test(text))))
        write(file);
    },
  },
};

/** A rule that holds only where the code uses a certain module. */
export function ruleOfModules(name: string, modules: readonly string[]): Rule | undefined {
  for (const module of modules) {
    const root = module.split(".")[0]!;
    const found = Object.hasOwn(ofModules, root) ? ofModules[root]! : undefined;
    if (found?.names.test(name) === true) return found.rule;
  }
  return undefined;
}

/** Undefined: no rule knows the call. */
export function ruleFor(
  { name, owner, args }: Pick<Call, "name" | "owner" | "args">,
  language: string,
): Rule | undefined {
  if (language === "perl" && name === "open" && owner === "") return perlOpen;
  if (language === "r") {
    const rule = ruleOfR(name, owner);
    if (rule !== undefined) return rule;
  }
  const isFree = owner === "";
  const own = (table: Readonly<Record<string, Rule>>): Rule | undefined =>
    Object.hasOwn(table, name) ? table[name] : undefined;
  if (isFree || isFileModule(owner)) {
    const rule = own(ofFiles);
    if (
      rule !== undefined &&
      !(
        isFree &&
        /^(?:write|save|create|find|input|new|entries|output|delete|extract|glob|walk|truncate)$/.test(name) &&
        !["perl", "php", "lua", "r"].includes(language) &&
        name !== "glob" &&
        name !== "walk"
      )
    )
      return rule;
  }
  if (
    isProcessModule(owner) ||
    /^(?:os|io)$/.test(owner) ||
    (isFree &&
      /^(?:system|exec|popen|spawn|execute|shell_exec|execl|execlp|execvp|execv|run|call|fork|command)$/.test(name) &&
      (language !== "python" || !/^exec$/.test(name)))
  ) {
    const rule = own(ofProcesses);
    if (rule !== undefined) return /^(?:spawnv|execv)/.test(name) ? argvList : rule;
  }
  const rule = own(anywhere);
  if (rule !== undefined) return rule;
  // A method of a path: `p.rename(q)`, `p.open("w")`, `p.touch()`.
  if (!isFree && /^(?:touch|rmdir|mkdir|chmod)$/.test(name) && args.length <= 1) return writes([-1]);
  if (!isFree && name === "rename" && args.length === 1) return renames;
  if (!isFree && name === "glob") return globs;
  if (!isFree && name === "open" && args.length <= 2)
    return (call, reader) => openFile(call.receiver, call.args[0] ?? call.named.get("mode"), reader);
  if (saving.test(name)) return writes([0]);
  return undefined;
}

/** What functions of such a module only read. */
export const isReading = (name: string): boolean =>
  /^(?:read|createReadStream|stat|lstat|fstat|exist|access|list|walk|scan|get|is|real|glob|watch|opendir|basename|dirname|extname|join|resolve|relative|normalize|abs|expand|split|size|mtime|ctime|atime|entries|children|pwd|home|each|foreach|for|file|directory|fspath|cpu|uname|lines|constants|args|env|cwd|inspect|stdin|stdout|stderr|which|disk_usage|version|exit|platform|tmpdir|type|arch|times|close|fsync|urandom|path|Stats|StringIO|BytesIO|TextIOWrapper|gettempdir|NamedTemporaryFile|TemporaryFile|TemporaryDirectory|mkstemp|mkdtemp|ZipFile|TarFile|open|is_tarfile|is_zipfile|nproc|nice|kill|umask|cpus|empty|zero|symlink\?|lines|PIPE|DEVNULL|STDOUT|file\?|directory\?|readable|writable|executable|fnmatch|compare_file|identical|uptodate|same|sizeof|sep|strerror|ftell|fgets|feof|flock|fclose)/.test(
    name,
  );

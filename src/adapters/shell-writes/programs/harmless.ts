/**
 * Programs that write nothing into a working tree, or only by rules of their own (`sylk`, the builtins of a shell), and those of
 * their options that write or start something after all. A program that is neither here nor in another table is unknown.
 */
import type { Field } from "../field.ts";

const builtins =
  "true false : echo printf test [ [[ exit return break continue wait jobs kill sleep type hash ulimit umask times let shopt " +
  "unalias complete compgen bind fg bg disown history logout enable help pwd dirs suspend setopt unsetopt autoload whence where " +
  "print caller";

const readers =
  "ls dir vdir cat tac head more most grep egrep fgrep zgrep rg ag ack ugrep wc cut tr paste join comm " +
  "diff cmp diff3 colordiff wdiff file stat du df ncdu realpath readlink basename dirname namei pathchk whoami id groups users who w " +
  "last hostname hostnamectl uname arch nproc date cal uptime ps top htop btop pgrep pkill killall pidof free vmstat iostat " +
  "lsof fuser netstat ss ping traceroute dig nslookup host whois ifconfig lscpu lsblk lspci lsusb dmesg journalctl " +
  "printenv which whereis man info apropos whatis tldr gojq jless column fold fmt nl od hexdump hd " +
  "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum md5 b2sum b3sum cksum sum base64 base32 seq yes expr bc dc " +
  "factor numfmt rev expand unexpand tsort zcat bzcat xzcat zstdcat tput clear stty tty locale getconf getent ldd nm " +
  "objdump readelf size cloc tokei scc bat batcat eza exa delta glow fzf shellcheck hadolint yamllint actionlint jsonlint " +
  "zipinfo zless bzless xzless lzcat zdiff gzcat pygmentize highlight look units ncal sysctl nvidia-smi tail xdpyinfo lsmod ipcs sw_vers system_profiler pbpaste";

/** They act on other machines, on processes or on services. */
const elsewhere =
  "ssh-add ssh-agent telnet nc ncat ab wrk open xdg-open code say notify-send systemctl service launchctl sylk " +
  "http.server pbcopy xclip xsel wl-copy logger mail";

const harmless: ReadonlySet<string> = new Set([builtins, readers, elsewhere].flatMap((names) => names.split(" ")));

/** `./grep` is a file of the tree, not the program of that name. */
const systemFolder = /^(?:[^/]+|\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?s?bin\/[^/]+)$/;

/** Options by which a harmless program writes a file, or starts another program. */
const harmful: Readonly<Record<string, RegExp>> = {
  history: /^-[awc]/,
  enable: /^-[a-z]*f/,
  rg: /^--(?:pre|hostname-bin)(?:=|$)/,
  ag: /^--pager(?:=|$)/,
  ack: /^--(?:pager|output)(?:=|$)/,
  man: /^(?:-P|-H|--pager|--html)/,
  bat: /^--pager(?:=|$)/,
  batcat: /^--pager(?:=|$)/,
  fzf: /^--(?:preview|bind|history)(?:=|$)/,
  ncdu: /^-o/,
  cloc: /^--(?:out|report-file|write-lang-def|ignored|counted)(?:=|$)/,
  scc: /^(?:-o|--output)/,
  pygmentize: /^-o/,
  highlight: /^(?:-o|-O$|--output)/,
  sysctl: /^-w/,
  date: /^(?:-s|--set)/,
  systemctl: /^(?:edit|--root)/,
  code: /^--(?:install-extension|merge|diff)$/,
  journalctl: /^--(?:cursor-file|vacuum)/,
  column: /^--output$/,
  glow: /^--output/,
  nc: /^-e/,
  ncat: /^(?:-e|-c|-o|--exec|--sh-exec|--output)/,
  logger: /^-f/,
  mail: /^-E/,
  yamllint: /^--output/,
  delta: /^--pager/,
};

/** The option of a harmless program that is not harmless; long outputs are, whatever the program. */
export function harmOf(program: string, args: readonly Field[]): string | undefined {
  const name = program.replace(/^.*\//, "");
  const own = Object.hasOwn(harmful, name) ? harmful[name] : undefined;
  return args.find(({ text }) => own?.test(text))?.text;
}

export function isHarmless(program: string): boolean {
  return systemFolder.test(program) && harmless.has(program.replace(/^.*\//, ""));
}

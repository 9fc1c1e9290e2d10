/**
 * Programs that write nothing into a working tree, or only by rules of their own (`sylk`, the builtins of a shell). A program
 * that is neither here nor in another table is unknown.
 */

const builtins =
  "true false : echo printf test [ [[ exit return break continue wait jobs kill sleep type hash ulimit umask times let shopt " +
  "unalias complete compgen bind fg bg disown history logout enable help pwd dirs suspend setopt unsetopt autoload whence where " +
  "print caller";

const readers =
  "ls dir vdir cat tac head less more most grep egrep fgrep zgrep rg ag ack ugrep wc cut tr paste join comm " +
  "diff cmp diff3 colordiff wdiff file stat du df ncdu tree realpath readlink basename dirname whoami id groups users who w " +
  "last hostname hostnamectl uname arch nproc date cal uptime ps top htop btop pgrep pkill killall pidof free vmstat iostat " +
  "lsof fuser netstat ss ping traceroute dig nslookup host whois ifconfig lscpu lsblk lspci lsusb dmesg journalctl " +
  "printenv which whereis man info apropos whatis tldr jq gojq jless column fold fmt nl od hexdump hd strings " +
  "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum md5 b2sum b3sum cksum sum base64 base32 seq yes expr bc dc " +
  "factor numfmt rev expand unexpand tsort zcat bzcat xzcat zstdcat tput clear stty tty locale getconf getent ldd nm " +
  "objdump readelf size cloc tokei scc bat batcat eza exa delta glow fzf shellcheck hadolint yamllint actionlint jsonlint " +
  "envsubst pygmentize highlight look units ncal sysctl nvidia-smi tail xdpyinfo lsmod ipcs sw_vers system_profiler pbpaste";

/** They act on other machines, on processes or on services. */
const elsewhere =
  "ssh ssh-add ssh-agent telnet nc ncat ab wrk open xdg-open code say notify-send systemctl service launchctl sylk " +
  "pbcopy xclip xsel wl-copy logger mail";

const harmless: ReadonlySet<string> = new Set([builtins, readers, elsewhere].flatMap((names) => names.split(" ")));

/** `./grep` is a file of the tree, not the program of that name. */
const systemFolder = /^(?:[^/]+|\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?s?bin\/[^/]+)$/;

export function isHarmless(program: string): boolean {
  return systemFolder.test(program) && harmless.has(program.replace(/^.*\//, ""));
}

# Sylk's helper for Linux: the system calls by which files that others hold become read-only for one command.
#   ask    <home> <socket> -- <command>...                        asks the daemon how to start the command, and starts it so
#   hold   <arch> <must|may> <mark> (w|r)<path>... -- <command>...   w: the folder stays where it is, r: read-only with its content
#   follow <arch> <pid> (+|-)<path>...                            the same later, in the namespace of a command that runs
# It becomes the command: signals, exit code, terminal and process group are the command's own. It loads no module: that
# would take longer than all of the rest.
use strict;

my %numbers = ( # unshare, mount, umount2, setns, prctl, mount_setattr
  x64   => [272, 165, 166, 308, 157, 442],
  arm64 => [97,  40,  39,  268, 167, 442],
);
my ($NEWNS, $NEWUSER)     = (0x20000, 0x10000000);
my ($BIND, $REC, $SLAVE)  = (4096, 16384, 1 << 19);
my ($RECURSIVE, $DETACH)  = (0x8000, 2);
my ($HERE, $DROP)         = (-100, 24);
my $readonly = pack 'Q4', 1, 0, 0, 0;
# What undoes or goes round a mount: DAC_READ_SEARCH, SYS_MODULE, SYS_RAWIO, SYS_CHROOT, SYS_PTRACE, SYS_ADMIN, MKNOD,
# SYS_BOOT; MAC_ADMIN, SYSLOG, BPF and CHECKPOINT_RESTORE for the same reason.
my @dangerous = (2, 16, 17, 18, 19, 21, 27, 22, 33, 34, 39, 40);
my ($unshare, $mount, $umount, $setns, $prctl, $setattr);

my $verb = shift @ARGV;
if    ($verb eq 'ask')    { ask(@ARGV) }
elsif ($verb eq 'hold')   { hold(@ARGV) }
elsif ($verb eq 'follow') { follow(@ARGV) }
die "Sylk: confine.pl ask|hold|follow\n";

sub ask {
  my ($home, $socket, undef, @command) = @_;
  my $answer = eval { exchange($socket, facts()) };
  return unanswered($home, $@, @command) if !defined $answer;
  my ($verdict, @words) = split /\n/, $answer;
  if ($verdict eq 'deny') { print STDERR join("\n", @words), "\n"; exit 126 }
  become(@command) if $verdict ne 'tell';
  hold(@words[3 .. $#words], @command) if $words[1] eq $0 && $words[2] eq 'hold';
  become(@words, @command);
}

sub facts {
  my @facts = ('tree=' . (readlink('/proc/self/cwd') || $ENV{PWD}));
  push @facts, "agent=$ENV{SYLK_AGENT}" if $ENV{SYLK_AGENT};
  my ($session) = grep { $ENV{ $_->[1] } } ['claude-code', 'CLAUDE_CODE_SESSION_ID'], ['codex', 'CODEX_SESSION_ID'],
    ['gemini', 'GEMINI_SESSION_ID'], ['opencode', 'SYLK_OPENCODE_SESSION'];
  push @facts, $session ? "session=$session->[0]:$ENV{ $session->[1] }" : 'ancestors=' . join(',', ancestors());
  push @facts, "pid=$ENV{CLAUDE_PID}" if $session && $ENV{CLAUDE_PID};
  return join '', map { "$_\0" } @facts, '';
}

sub ancestors {
  my ($pid, @found) = (getppid);
  while ($pid > 1 && @found < 40) {
    push @found, $pid;
    open my $stat, '<', "/proc/$pid/stat" or last;
    (my $line = <$stat>) =~ s/.*\) //;
    $pid = (split ' ', $line)[1];
  }
  return @found;
}

sub exchange {
  my ($path, $body) = @_;
  my $mac = $^O eq 'darwin';
  my ($level, @limits) = $mac ? (0xffff, 0x1006, 0x1005) : (1, 20, 21); # two seconds to read, two to write
  socket my $link, 1, 1, 0 or die "$!\n";
  setsockopt $link, $level, $_, pack('q2', 2, 0) for @limits;
  connect $link, $mac ? pack('C2 a104', 106, 1, $path) : pack('S a108', 1, $path) or die "the daemon does not answer at its socket\n";
  my $request = "POST /v1/hooks/shell/start HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
    . 'Content-Length: ' . length($body) . "\r\n\r\n$body";
  syswrite $link, $request or die "$!\n";
  my $answer = '';
  while (1) {
    my $got = sysread $link, $answer, 65536, length $answer;
    die "the daemon does not answer in time\n" if !defined $got;
    last if $got == 0;
  }
  $answer =~ s/\AHTTP\S+ 200 .*?\r\n\r\n//s or die "the daemon refused the call\n";
  return $answer;
}

# As guard.edit says, and never unsaid: the next daemon counts the line.
sub unanswered {
  my ($home, $cause, @command) = @_;
  chomp $cause;
  become(@command) if !-d $home;
  if (open my $log, '>>', "$home/log/hook-outcomes.jsonl") {
    my ($who, $where) = map { (my $text = $_) =~ s/[\\"\x00-\x1f]//g; $text } $ENV{CLAUDE_CODE_SESSION_ID} || '', $ENV{PWD} || '/';
    my $key = $who eq '' ? '' : qq(,"agentKey":"$who");
    syswrite $log, sprintf qq({"at":%d000,"component":"hook/shell/start","outcome":"degraded","cause":"%s"%s,"project":"%s"}\n),
      time, $cause, $key, $where;
  }
  if (open my $guards, '<', "$home/guards") {
    if (grep { $_ eq "edit=fail-closed\n" } <$guards>) {
      print STDERR "Sylk: stopped, because no daemon says which files other agents hold: $cause (guard.edit is fail-closed).\n",
        qq(Sylk: start the daemon with "sylk up"\n);
      exit 126;
    }
  }
  become(@command);
}

sub hold {
  my ($arch, $must, $mark, @rest) = @_;
  my @places;
  while (@rest) { my $place = shift @rest; last if $place eq '--'; push @places, $place }
  my $cwd = readlink '/proc/self/cwd';
  if (!eval { bind_all($arch, @places); 1 }) {
    chomp(my $cause = $@);
    print STDERR "Sylk: the files that others hold could not be made read-only: $cause.",
      $must eq 'must' ? " The command did not run (guard.enforce is on).\n" : " The command runs unprotected.\n";
    exit 126 if $must eq 'must';
  }
  $ENV{SYLK_CONFINED} = $mark;
  chdir $cwd; # from above: the folder it was in lies below the new mounts
  become(@rest);
}

sub bind_all {
  my ($arch, @places) = @_;
  calls($arch);
  own_mounts();
  for (@places) {
    my ($kind, $path) = (substr($_, 0, 1), substr($_, 1));
    if (syscall($mount, $path, $path, 0, $BIND | $REC, 0) != 0) {
      next if $! == 2; # it went meanwhile
      die "bind $path: $!\n";
    }
    read_only($path, $RECURSIVE) if $kind eq 'r';
  }
  return if $> != 0;
  syscall($prctl, $DROP, $_, 0, 0, 0) for @dangerous; # numbers that this kernel does not have are no harm
}

sub calls {
  ($unshare, $mount, $umount, $setns, $prctl, $setattr) = @{ $numbers{ $_[0] } || die "no numbers for $_[0]\n" };
}

sub own_mounts {
  my ($uid, $gid) = ($>, $) + 0);
  if ($uid == 0) {
    syscall($unshare, $NEWNS) == 0 or die "unshare: $!\n";
    my ($none, $root) = ('none', '/');
    syscall($mount, $none, $root, 0, $REC | $SLAVE, 0) == 0 or die "mount: $!\n";
    return;
  }
  syscall($unshare, $NEWUSER | $NEWNS) == 0 or die "unshare: $!\n";
  put('setgroups', 'deny');
  put('uid_map', "$uid $uid 1");
  put('gid_map', "$gid $gid 1");
  own_ssh_settings();
}

sub put {
  my ($file, $text) = @_;
  open my $map, '>', "/proc/self/$file" or die "$file: $!\n";
  syswrite $map, $text or die "$file: $!\n";
  close $map;
}

# Files of root now show another owner, and ssh refuses included settings of that owner: it gets copies.
sub own_ssh_settings {
  my $folder = '/etc/ssh/ssh_config.d';
  opendir my $list, $folder or return;
  my @names = grep { /\.conf\z/ } readdir $list or return;
  my %texts = map { $_ => slurp("$folder/$_") } @names;
  my ($type, $options) = ('tmpfs', 'size=1m,mode=755');
  return if syscall($mount, $type, $folder, $type, 0, $options) != 0;
  for (@names) { open my $copy, '>', "$folder/$_" or next; print $copy $texts{$_}; close $copy }
}

sub slurp {
  open my $file, '<', $_[0] or return '';
  local $/;
  return scalar <$file>;
}

sub read_only {
  my ($path, $flags) = @_;
  syscall($setattr, $HERE, $path, $flags, $readonly, 32) == 0 or die "read-only $path: $!\n";
}

# The namespace of a command that runs. Only files: a folder bound now would not be the one in which its processes are.
sub follow {
  my ($arch, $pid, @changes) = @_;
  calls($arch);
  my @doors;
  for (grep { readlink("/proc/$pid/ns/$_") ne readlink("/proc/self/ns/$_") } 'user', 'mnt') {
    open my $door, '<', "/proc/$pid/ns/$_" or exit 3; # it has ended
    push @doors, $door;
  }
  exit 3 if !@doors;
  for (@doors) { syscall($setns, fileno $_, 0) == 0 or die "setns: $!\n" }
  my $failed = 0;
  for (@changes) {
    my ($kind, $path) = (substr($_, 0, 1), substr($_, 1));
    my $done = eval {
      if ($kind eq '-') { syscall($umount, $path, $DETACH) == 0 or die "unbind $path: $!\n" }
      else {
        syscall($mount, $path, $path, 0, $BIND | $REC, 0) == 0 or die "bind $path: $!\n";
        read_only($path, $RECURSIVE);
      }
      1;
    };
    if (!$done) { print STDERR $@; $failed = 1 }
  }
  exit $failed;
}

sub become {
  my @command = @_;
  exec { $command[0] } @command or 1;
  my $code = $! == 2 ? 127 : 126;
  print STDERR "Sylk: $command[0]: $!\n";
  exit $code;
}

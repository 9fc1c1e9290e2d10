"use strict";
// Sylk's stand-in for curl, beside the launcher: standard input to the daemon's socket, its answer to standard output.
const { connect } = require("node:net");
const [socket, path, seconds, pid] = process.argv.slice(2);
const given = [];
let answer = "";
setTimeout(() => process.exit(28), Number(seconds) * 1000).unref();
process.stdin.on("data", (bytes) => given.push(bytes)).on("end", send).on("error", () => process.exit(26));

function send() {
  const body = Buffer.concat(given);
  const head = ["POST " + path + " HTTP/1.1", "host: localhost", "connection: close", "sylk-pid: " + (pid || "").replace(/\D/g, "")];
  head.push("content-type: application/octet-stream", "content-length: " + body.length, "", "");
  const call = connect(socket, () => call.write(Buffer.concat([Buffer.from(head.join("\r\n")), body])));
  call.setEncoding("utf8").on("data", (text) => (answer += text)).on("end", pass).on("error", () => process.exit(7));
}

function pass() {
  if (!answer.startsWith("HTTP/1.1 200 ")) process.exit(22);
  process.stdout.write(answer.slice(answer.indexOf("\r\n\r\n") + 4));
}

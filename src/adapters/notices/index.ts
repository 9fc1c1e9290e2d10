/** Ways to tell a person: a command of theirs, a web address of theirs. */
export { noticeByCommand } from "./notice-by-command.ts";
export { noticeByWebhook } from "./notice-by-webhook.ts";

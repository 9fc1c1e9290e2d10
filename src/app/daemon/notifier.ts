/** Connects what waits for a person with the ways to tell them. */
import { noticeByCommand, noticeByWebhook } from "../../adapters/notices/index.ts";
import { createCommands } from "../../adapters/processes/index.ts";
import { approval, type Dispatch, reservation } from "../../contract/index.ts";
import { createNotifier, type Notifier, type SendNotice } from "../../oversight/notify/index.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";

type Wiring = { readonly dispatch: Dispatch; readonly onFailed: (error: unknown) => void };

export function composeNotifier(
  { store, bus, clock }: DaemonParts,
  { settings, paths, env, redactor }: DaemonTerms,
  { dispatch, onFailed }: Wiring,
): Notifier {
  const command = settings["notify.command"];
  const webhook = settings["notify.webhook"];
  const senders: SendNotice[] = [
    ...(command === "" ? [] : [noticeByCommand(command, paths.home, env, createCommands(clock))]),
    ...(webhook === "" ? [] : [noticeByWebhook(webhook, { clock, clean: redactor.value })]),
  ];
  const notifier = createNotifier({
    store,
    clock,
    senders,
    quietHours: settings["notify.quietHours"],
    waiting: async () => (await dispatch("approval.list", { limit: 500 }, { kind: "user", project: undefined })).items,
    onFailed,
  });
  const stops = [approval.ApprovalRequested, reservation.ReleaseAsked].map(({ type }) =>
    bus.subscribe(`event.${type}`, () => void notifier.look()),
  );
  return {
    look: notifier.look,
    stop() {
      for (const stop of stops) stop();
      notifier.stop();
    },
  };
}

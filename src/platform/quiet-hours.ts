/** Quiet hours: a part of each day, in local time, in which a person is not told of anything. */
const minuteMs = 60_000;
const dayMinutes = 24 * 60;

/** Milliseconds until the quiet hours end; 0 outside of them, and where there are none. */
export function quietLeftMs(hours: string, now: number): number {
  const [, ...numbers] = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(hours) ?? [];
  if (numbers.length === 0) return 0;
  const [fromHour, fromMinute, toHour, toMinute] = numbers.map(Number) as [number, number, number, number];
  const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute];
  const at = new Date(now);
  const minute = at.getHours() * 60 + at.getMinutes();
  const isQuiet = from <= to ? from <= minute && minute < to : minute >= from || minute < to;
  if (!isQuiet) return 0;
  const minutes = (to - minute + dayMinutes) % dayMinutes;
  return minutes * minuteMs - (now % minuteMs);
}

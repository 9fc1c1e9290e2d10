import fc from "fast-check";
import { expect, it } from "vitest";
import { askQuestion, type Questions, takeAnswer } from "./take-newest.ts";

it("runs one question at a time and forgets those between the running and the newest", () => {
  const state = ["a", "b", "c"].reduce<Questions<string>>(askQuestion, {});
  expect(state).toEqual({ running: "a", waiting: "c" });
  expect(takeAnswer(state, "b", "late")).toBe(state);
  const next = takeAnswer(state, "a", "of a");
  expect(next).toEqual({ running: "c", shown: { question: "a", answer: "of a" } });
  expect(takeAnswer(next, "a", "of a again")).toBe(next);
  expect(takeAnswer(next, "c", "of c")).toEqual({ shown: { question: "c", answer: "of c" } });
});

it("ends with the answer to the newest question, in whatever order answers come [DASH-8]", () => {
  const step = fc.record({ question: fc.constantFrom("a", "b", "c", "d"), isAnswer: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step), fc.constantFrom("a", "b", "c", "d"), (steps, last) => {
      let state: Questions<string> = {};
      for (const { question, isAnswer } of steps)
        state = isAnswer ? takeAnswer(state, question, `of ${question}`) : askQuestion(state, question);
      state = askQuestion(state, last);
      while (state.running !== undefined) state = takeAnswer(state, state.running, `of ${state.running}`);
      expect(state).toMatchObject({ shown: { question: last, answer: `of ${last}` } });
    }),
  );
});

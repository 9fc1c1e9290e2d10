/** Whether a file tests others, or serves tests, by its path alone, whatever the language. */
const testFile =
  /(^|\/)(tests?|__tests__|specs?|__mocks__|__snapshots__|__fixtures__|fixtures)\/|[._-](test|spec)\.\w+$|(^|\/)tests?\.\w+$|(^|\/)test_[^/]+\.py$|\.snap$/i;

export function isTestFile(path: string): boolean {
  return testFile.test(path);
}

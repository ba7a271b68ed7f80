import { summaryOf } from './summaryOf.ts';

test.each([
  ['Ends a session.', 'Ends a session'],
  ['Newest stored analysis of\nan object; null without one.', 'Newest stored analysis of an object'],
  ['Public keys (RFC 7517). Cached.', 'Public keys (RFC 7517)'],
  ['Consent to a purpose (`terms`; `privacy`). More.', 'Consent to a purpose'],
  ['What was done: everything.\n\nMore.', 'What was done'],
  ['Version 1.2 of `a.b` in a line', 'Version 1.2 of `a.b` in a line'],
  ['', ''],
])('the summary of the description %j is %j', (description, summary) => {
  expect(summaryOf(description)).toBe(summary);
});

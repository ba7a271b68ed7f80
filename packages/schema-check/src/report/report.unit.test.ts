import { toChange } from '../Change.ts';
import { formatGithub } from './formatGithub.ts';
import { formatJson } from './formatJson.ts';
import { formatSarif } from './formatSarif.ts';
import { formatTable } from './formatTable.ts';
import type { Report } from './Report.ts';

const place = { file: 'subgraphs/shop/schema.graphql', line: 7 };
const help = 'https://docs.example.com/rules/rule.md';
const report: Report = {
  base: { ref: 'main', commit: '0123456789abcdef' },
  missing: [],
  isBaseEmpty: false,
  compared: ['2 subgraphs', '7 routes'],
  acceptedChangesFile: 'accepted.yaml',
  changes: [
    {
      ...toChange('field-removed', 'A.b', 'A.b was removed: 100%,\nreally.'),
      accepted: null,
      cause: null,
      place,
      help,
    },
    {
      ...toChange('field-removed', 'A.c', 'A.c was removed.'),
      accepted: 'Nobody reads it.',
      cause: null,
      place,
      help,
    },
    {
      ...toChange('limit-changed', 'Query.a', 'Query.a takes more.'),
      accepted: null,
      cause: null,
      place,
      help,
    },
    { ...toChange('type-added', 'B', 'B was added.'), accepted: null, cause: null, place, help },
  ],
  unusedAcceptances: [{ id: 'field-removed:A.d', reason: 'old' }],
  staleFiles: ['schema/api.graphql'],
};

test('the text report lists breaking changes first, with their place and the remedy', () => {
  const text = formatTable(report);
  const headings = [...text.matchAll(/^([A-Z]+) \((\d+)\)$/gm)].map(([, name, count]) => [name, count]);
  expect(headings).toEqual([
    ['BREAKING', '1'],
    ['ACCEPTED', '1'],
    ['DANGEROUS', '1'],
    ['SAFE', '1'],
  ]);
  expect(text).toMatch(
    /^ {2}field-removed:A\.b +subgraphs\/shop\/schema\.graphql:7 +A\.b was removed: 100%, really\.$/m,
  );
  expect(text).toMatch(/A\.c was removed\. Accepted: Nobody reads it\.$/m);
  expect(text).toMatch(/^Rules\n {2}field-removed {2}https:\/\/docs\.example\.com\/rules\/rule\.md$/m);
  expect(text).toMatch(/^Stale: schema\/api\.graphql differs from what its sources generate/m);
  expect(text).toMatch(/^Unused: .*field-removed:A\.d/m);
  expect(text).toMatch(/^1 breaking, 1 accepted, 1 dangerous, 1 safe; compared with main \(0123456789ab\)/m);
});

test.each<[string, Partial<Report>, RegExp]>([
  ['no commit', { base: null }, /has no commit: there is nothing to compare with/],
  [
    'no file of the base',
    { isBaseEmpty: true, missing: ['a', 'b', 'c'] },
    /^There is nothing to compare with: main has no a, b, c\.$/m,
  ],
  [
    'one file missing',
    { missing: ['schema/openapi.json'] },
    /^Not compared: main has no schema\/openapi\.json\.$/m,
  ],
])('the text report states %s, so that it is not taken for a passed check', (_, more, text) => {
  expect(formatTable({ ...report, changes: [], ...more })).toMatch(text);
});

test('the text report lists a consequence under its cause', () => {
  const cause = toChange('field-removed', 'Z.b', 'Z.b was removed.');
  const consequence = toChange('document-invalid', 'a.graphql', 'Cannot query field "b" on type "Z".');
  const changes = [
    { ...consequence, accepted: null, cause: cause.id, place, help },
    { ...cause, accepted: null, cause: null, place, help },
  ];
  expect(formatTable({ ...report, changes })).toMatch(
    /^BREAKING \(2\)\n {2}field-removed:Z\.b .*\n {4}document-invalid:a\.graphql /m,
  );
});

test('the text report asks to fix a fault, and to fix or accept a breaking change', () => {
  const fault = {
    ...toChange('document-invalid', 'a.graphql', 'No.'),
    accepted: null,
    cause: null,
    place,
    help,
  };
  expect(formatTable({ ...report, changes: [fault] })).toMatch(/^Mend what is breaking\.$/m);
  expect(formatTable(report)).toMatch(/^Mend what is breaking, or list its id with a reason/m);
});

test('the JSON report contains counts, changes and places', () => {
  expect(JSON.parse(formatJson(report))).toMatchObject({
    base: report.base,
    counts: { breaking: 1, accepted: 1, dangerous: 1, safe: 1 },
    changes: [
      { id: 'field-removed:A.b', kind: 'field-removed', severity: 'breaking', accepted: null, ...place },
      {},
      {},
      {},
    ],
    staleFiles: ['schema/api.graphql'],
    unusedAcceptances: [{ id: 'field-removed:A.d' }],
  });
});

test('the GitHub report has one escaped command for each change that is not safe', () => {
  const lines = formatGithub(report).split('\n');
  expect(lines[0]).toMatch(
    /^::error file=subgraphs\/shop\/schema\.graphql,line=7,title=breaking%3A field-removed::A\.b was removed: 100%25,%0Areally\. /,
  );
  expect(lines.map((line) => line.split(/[ :]+/)[1])).toEqual([
    'error',
    'notice',
    'warning',
    'warning',
    'warning',
    'notice',
  ]);
});

test('a SARIF log has rules, places and stable fingerprints, and suppresses accepted changes', () => {
  const log = JSON.parse(formatSarif(report)) as {
    version: string;
    runs: { tool: { driver: { rules: { id: string }[] } }; results: Record<string, unknown>[] }[];
  };
  expect(log.version).toBe('2.1.0');
  const [run] = log.runs;
  const rules = run?.tool.driver.rules.map(({ id }) => id) ?? [];
  expect(run?.results.map(({ ruleId, ruleIndex }) => rules[ruleIndex as number] === ruleId)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(run?.results.map(({ level }) => level)).toEqual(['error', 'error', 'warning', 'note']);
  expect(run?.results.map(({ suppressions }) => suppressions !== undefined)).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect(run?.results[0]).toMatchObject({
    partialFingerprints: { 'changeId/v1': 'field-removed:A.b' },
    locations: [{ physicalLocation: { artifactLocation: { uri: place.file }, region: { startLine: 7 } } }],
  });
});

import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  BreakingChangeType,
  buildSchema,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
} from 'graphql';
import { kindExamples } from '../examples/exampleSets.ts';
import { graphExamples } from '../examples/graphExamples.ts';
import { rulePages } from '../examples/rulePages.ts';
import { changeKinds } from '../src/Change.ts';

const executed = kindExamples.flatMap(({ kind, path, caught, passed }) =>
  caught.check && passed.check ? [{ kind, path, caught: caught.check, passed: passed.check }] : [],
);

test('every kind of change has examples, of which only those of a guard language are not executed here', () => {
  expect([...new Set(kindExamples.map(({ kind }) => kind))].sort()).toEqual(Object.keys(changeKinds).sort());
  expect(executed.length).toBeGreaterThan(100);
  const kinds = new Set(executed.map(({ kind }) => kind));
  expect(Object.keys(changeKinds).filter((kind) => !kinds.has(kind as keyof typeof changeKinds))).toEqual([
    'limit-lowered',
    'limit-changed',
    'idempotency-required',
    'idempotency-removed',
    'idempotency-added',
    'rate-class-changed',
  ]);
});

test('the examples contain every kind of breaking and dangerous change of graphql-js', () => {
  const planted = Object.values(graphExamples).flatMap((list) =>
    list.flatMap(({ caught: [before, after] }) => {
      const schemas = [buildSchema(before), buildSchema(after)] as const;
      return [...findBreakingChanges(...schemas), ...findDangerousChanges(...schemas)];
    }),
  );
  const known = [...Object.values(BreakingChangeType), ...Object.values(DangerousChangeType)];
  expect([...new Set<string>(planted.map(({ type }) => type))].sort()).toEqual(known.sort());
});

test.each(executed)(
  '$kind is reported for $path, as the only change of its severity',
  async ({ kind, path, caught }) => {
    const { severity } = changeKinds[kind];
    const found = (await caught()).filter((change) => change.severity === severity);
    expect(found.map(({ id }) => id)).toEqual([`${kind}:${path}`]);
  },
);

test.each(executed)(
  '$kind is not reported for a similar, compatible change of $path',
  async ({ kind, passed }) => {
    const { severity } = changeKinds[kind];
    const changes = await passed();
    expect(changes.filter((change) => change.severity === 'breaking')).toEqual([]);
    expect(changes.filter((change) => change.kind === kind && change.severity === severity)).toEqual([]);
  },
);

test('every rule has a page that shows both changes of its examples, and a breaking one states what to do instead', () => {
  const pages = rulePages();
  expect(pages).toHaveLength(Object.keys(changeKinds).length + 1);
  for (const [kind, { severity, words }] of Object.entries(changeKinds)) {
    const { file, text = '' } = pages.find(({ file }) => file.endsWith(`/${kind}.md`)) ?? {};
    expect(text).toMatch(/^## Reported$[\s\S]*^Before:$[\s\S]*^## Not reported$[\s\S]*^Before:$/m);
    expect(text).toContain(words);
    expect(text.includes('Instead: ')).toBe(severity === 'breaking');
    expect(existsSync(path.join(import.meta.dirname, '..', file ?? ''))).toBe(true);
  }
});

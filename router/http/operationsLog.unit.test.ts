import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'graphql';
import pino from 'pino';
import { tempFolder } from '../../test/support/tempFolder.ts';
import type { Prepared } from '../execution/Engine.ts';
import { openOperationsLog } from './operationsLog.ts';

const folder = tempFolder();

const prepared = (text: string): Prepared => ({ document: parse(text), operationName: 'find' }) as Prepared;

async function linesOf(file: string, count: number): Promise<string[]> {
  for (let tries = 0; ; tries += 1) {
    const lines = (await readFile(file, 'utf8').catch(() => '')).trim().split('\n');
    if (lines.length >= count || tries === 200) return lines;
    await delay(20);
  }
}

test('the operations log contains each distinct operation once, without its string values', async () => {
  const file = path.join(folder, 'operations.ndjson');
  const { note } = openOperationsLog(file, pino({ level: 'silent' }), () => 0);
  const one = prepared('query find { listings(first: 3, filter: { q: "secret" }) { nodes { id } } }');
  note(one);
  note(one);
  note(prepared('query find { listings(first: 5, filter: { q: "other" }) { nodes { id } } }'));
  note(prepared('query find($q: String = "mine") { listings(filter: { q: $q }) { nodes { title } } }'));
  const lines = await linesOf(file, 2);
  // Lines are appended concurrently, in any order.
  const written = lines.map((line) => JSON.parse(line) as { document: string });
  expect(written).toHaveLength(2);
  for (const one of written)
    expect(one).toMatchObject({ at: '1970-01-01T00:00:00.000Z', operationName: 'find' });
  const documents = written.map(({ document }) => document);
  expect(documents).toContainEqual(expect.stringMatching(/filter: \{\s*q: ""\s*\}/));
  expect(documents).toContainEqual(expect.stringContaining('title'));
  expect(lines.join()).not.toMatch(/secret|other|mine/);
});

test('the operations log reports a file that it cannot write once and does not throw', async () => {
  const logged: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
  const { note } = openOperationsLog(path.join(folder, 'no', 'such', 'folder'), log, () => 0);
  note(prepared('{ a }'));
  note(prepared('{ b }'));
  for (let tries = 0; logged.length === 0 && tries < 200; tries += 1) await delay(20);
  await delay(100);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain('cannot be written');
});

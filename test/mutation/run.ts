import { mkdtemp, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { readArguments, refuseCall } from '../../app/commands/readArguments.ts';
import { startEmbeddedDb } from '../../embedded-db/startEmbeddedDb.ts';
import { equivalents, findStale, keyOf, readMutants } from './equivalents.ts';
import { judge, type Verdict } from './judge.ts';
import type { Mutant } from './listMutants.ts';
import { sampleMutants } from './sampleMutants.ts';
import { type Folder, readScope } from './scope.ts';

const goal = 0.9;

const heading =
  '| Folder | Mutants | Killed | Timed out | Survived | Equivalent | Score |\n|---|---|---|---|---|---|---|';

const program = {
  command: 'npm run test:mutation',
  about: `Changes the product in one place at a time and runs the tests that own the place. A change that no test notices is a
promise that no test shows. The exit code is 1 if a folder has a score below 90 %. Mutants that change no behaviour are in
test/mutation/equivalent.json, each with the reason; they do not count. An entry that matches no mutant is reported, and
the exit code is 1.`,
  options: {
    folder: {
      type: 'string',
      multiple: true,
      about: 'only this folder of test/mutation/scope.ts; may be repeated',
    },
    file: { type: 'string', about: 'only files whose path contains the text; no score is demanded' },
    sample: { type: 'string', about: 'only this number of mutants of each folder, chosen by --seed' },
    seed: { type: 'string', about: 'text that chooses the sample; 1 by default' },
    list: { type: 'boolean', about: 'print the mutants, run nothing' },
  },
} as const;
const { values } = readArguments(program);
const sampleSize = readSampleSize();

await main();

async function main(): Promise<void> {
  const scope = readScope();
  for (const name of values.folder ?? []) {
    if (scope.some((folder) => folder.name === name)) continue;
    throw new Error(`There is no folder "${name}". Use one of ${scope.map(({ name }) => name).join(', ')}.`);
  }
  reportStale(scope);
  const chosen = scope.filter(({ name }) => values.folder?.includes(name) ?? true);
  if (values.list) {
    for (const mutant of chosen.flatMap(mutantsOf)) process.stdout.write(`${describe(mutant)}\n`);
    return;
  }
  // Low priority, because the machine has other work at night.
  setPriority(10);
  const lines: string[] = [];
  await withDatabase(async () => {
    for (const folder of chosen) {
      const { line, isEnough } = await examine(folder);
      lines.push(line);
      if (!isEnough && !values.file) process.exitCode = 1;
    }
  });
  process.stdout.write(`\n${heading}\n${lines.join('\n')}\n`);
}

/** Number of mutants of each folder. */
function readSampleSize(): number {
  const { sample } = values;
  if (sample === undefined) return Number.POSITIVE_INFINITY;
  return /^[1-9]\d*$/.test(sample)
    ? Number(sample)
    : refuseCall(program, '--sample must be a whole number above 0.');
}

function reportStale(scope: readonly Folder[]): void {
  for (const { file, before, after } of findStale(scope)) {
    process.stderr.write(
      `equivalent.json lists a mutant that does not exist: ${file}\n  - ${before}\n  + ${after}\n`,
    );
    process.exitCode = 1;
  }
}

function mutantsOf({ files }: Folder): readonly Mutant[] {
  return files.filter((file) => file.includes(values.file ?? '')).flatMap(readMutants);
}

/** All test processes share one database server, on which each creates separate databases. */
async function withDatabase(run: () => Promise<void>): Promise<void> {
  if (process.env.MONGODB_URI) return run();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'trigate-mutation-'));
  const database = await startEmbeddedDb({ dataDir, testing: true, transactionLifetimeMs: 15_000 });
  process.env.MONGODB_URI = database.uri;
  try {
    await run();
  } finally {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function examine(folder: Folder): Promise<{ line: string; isEnough: boolean }> {
  const listed = new Set(equivalents.map(keyOf));
  const all = mutantsOf(folder);
  const counted = all.filter((mutant) => !listed.has(keyOf(mutant)));
  const mutants = sampleMutants(counted, { count: sampleSize, seed: values.seed ?? '1' });
  const counts: Record<Verdict, number> = { killed: 0, timeout: 0, survived: 0 };
  let done = 0;
  for await (const { mutant, verdict } of judge(mutants, folder.tests)) {
    counts[verdict] += 1;
    done += 1;
    if (verdict === 'survived') process.stdout.write(`survived: ${describe(mutant)}\n`);
    process.stderr.write(`${folder.name} ${done}/${mutants.length}, ${counts.survived} survived\n`);
  }
  const { killed, timeout, survived } = counts;
  const score = (killed + timeout) / Math.max(1, done);
  const equivalent = all.length - counted.length;
  const size = mutants.length < counted.length ? `${mutants.length} of ${all.length}` : all.length;
  const cells = [folder.name, size, killed, timeout, survived, equivalent, percent(score)];
  return { line: `| ${cells.join(' | ')} |`, isEnough: score >= goal };
}

function percent(share: number): string {
  return `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
}

function describe({ file, line, before, after }: Mutant): string {
  return `${file}:${line}\n  - ${before}\n  + ${after}`;
}

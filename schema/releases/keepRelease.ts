import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readAcceptedChanges } from '../../packages/schema-check/src/acceptedChanges.ts';
import { readCommittedFile } from '../../packages/schema-check/src/git/git.ts';
import { acceptedChangesFile } from '../check/Contract.ts';
import { generateContract } from '../check/generateContract.ts';
import { findStaleFiles, readWorkingTree } from '../check/readWorkingTree.ts';
import { changesBetween } from './changesBetween.ts';
import type { Release } from './Release.ts';
import { readReleases, writeRelease } from './storedReleases.ts';
import { toNotes } from './toNotes.ts';

const projectRoot = path.join(import.meta.dirname, '../..');
const folder = path.join(projectRoot, 'schema/releases');

/** A release that was stored. */
export interface KeptRelease {
  /** Its file, relative to the project. */
  readonly file: string;
  /** What changed since the previous release, in Markdown. */
  readonly notes: string;
}

/**
 * Stores the committed contract as a release, with its changes since the previous one.
 *
 * @param ref git ref of the contract; the current files by default
 * @throws Error if the current files are stale, or the name is invalid or exists
 */
export function keepRelease(name: string, ref?: string): KeptRelease {
  if (ref === undefined) assertCurrent();
  const read = (file: string) =>
    (ref === undefined
      ? readFileSync(path.join(projectRoot, file), 'utf8')
      : readCommittedFile(projectRoot, ref, file)) ?? '';
  const release: Release = {
    name,
    at: new Date(ref === undefined ? Date.now() : timeOf(ref)).toISOString(),
    api: read('schema/api.graphql'),
    supergraph: read('schema/supergraph.graphql'),
    openApi: JSON.stringify(JSON.parse(read('schema/openapi.json'))),
  };
  const before = readReleases(folder).findLast((stored) => (stored.at ?? '') < (release.at ?? ''));
  const accepted = readAcceptedChanges(read(acceptedChangesFile), acceptedChangesFile);
  const changes = before && changesBetween(before, release, accepted);
  const file = writeRelease(folder, { ...release, ...(changes && { changes }) });
  const since = before ? `, since ${before.name}` : '';
  const text = changes ? toNotes(release, changes) : 'The first release.';
  return { file: path.relative(projectRoot, file), notes: `## ${name}${since}\n\n${text}` };
}

/** Returns the time of a commit in milliseconds. */
function timeOf(ref: string): number {
  const words = ['show', '-s', '--format=%ct', ref];
  return Number(execFileSync('git', words, { cwd: projectRoot, encoding: 'utf8' })) * 1000;
}

/** Refuses files that differ from what the subgraphs and routes would generate. */
function assertCurrent(): void {
  const source = readWorkingTree(projectRoot);
  const stale = findStaleFiles(projectRoot, source, generateContract(source));
  if (stale.length === 0) return;
  throw new Error(`These files are stale: ${stale.join(', ')}. Run npm run generate, and commit the result.`);
}

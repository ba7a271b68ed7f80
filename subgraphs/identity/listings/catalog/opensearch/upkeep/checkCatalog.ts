import { setTimeout as pause } from 'node:timers/promises';
import type { SearchEngine } from '../engine/SearchEngine.ts';
import {
  type Comparison,
  compareInstallation,
  type Difference,
  repair,
} from '../feed/compareInstallation.ts';
import { listDeadLetters } from '../feed/feedState.ts';
import { type FeedRun, InstallationFeed } from '../feed/InstallationFeed.ts';

/** Index whose contents are compared with the database. */
export interface Checked {
  engine: SearchEngine;
  index: string;
  installationId: string;
  run: FeedRun;
}

/** A change is written and visible within this time. */
const settledAfterMs = 4000;

/**
 * Returns the listings of an installation whose documents differ from the database. Differences that disappear within a
 * few seconds are changes on their way to the index.
 */
export async function checkInstallation({ run, ...target }: Checked): Promise<Comparison> {
  const first = await compareInstallation(target, { run });
  if (first.differences.length === 0) return first;
  await pause(settledAfterMs);
  const second = await compareInstallation(target, { run });
  const before = new Set(first.differences.map(describeDifference));
  return {
    listings: second.listings,
    differences: second.differences.filter((one) => before.has(describeDifference(one))),
  };
}

/** Writes the listings of an installation that differ. Returns how many differed, and how many still do. */
export async function repairInstallation({
  run,
  ...target
}: Checked): Promise<{ found: number; remaining: number }> {
  const repairWith = await InstallationFeed.open(target);
  const { differences } = await compareInstallation(target, { repairWith, run });
  if (differences.length === 0) return { found: 0, remaining: 0 };
  const after = await checkInstallation({ run, ...target });
  return { found: differences.length, remaining: after.differences.length };
}

/** Writes the listings again that the index has refused, and returns their number. */
export async function replayDeadLetters({ run, ...target }: Checked): Promise<number> {
  const { engine, index, installationId } = target;
  const letters = await listDeadLetters(engine, index, installationId);
  const feed = await InstallationFeed.open(target);
  const differences = letters.map(({ listingId }) => ({ id: listingId, inDatabase: null, inIndex: null }));
  await repair(target, differences, { feed, run });
  return letters.length;
}

/** Describes a difference for the user at the terminal. */
export function describeDifference({ id, inDatabase, inIndex }: Difference): string {
  if (inDatabase === null) return `${id} is in the index but not published`;
  if (inIndex === null) return `${id} is not in the index`;
  return `${id} has version ${inIndex} in the index and ${inDatabase} in the database`;
}

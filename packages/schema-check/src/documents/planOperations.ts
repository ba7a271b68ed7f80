import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PlanningLine, PlanningRequest } from './planningProcess.ts';

/** Operation to plan, and its file. */
export interface PlannedOperation {
  readonly file: string;
  readonly text: string;
  /** Name of the operation in the text; null for the only one. */
  readonly name: string | null;
}

/** Operation without a plan, and the reason. */
export interface PlanFailure {
  /** Operation; null if the planner cannot use the supergraph at all. */
  readonly operation: PlannedOperation | null;
  readonly reason: string;
}

/** Finds the operations that have no plan. */
export type PlanOperations = (
  supergraphSdl: string,
  operations: readonly PlannedOperation[],
) => readonly PlanFailure[];

// The package has compiled files; its sources run directly.
const extension = path.extname(import.meta.url);
const entry = fileURLToPath(new URL(`./planningProcess${extension}`, import.meta.url));
const timeoutMs = 60_000;
const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * Plans operations with the router's planner in a child process. The planner is native code, and its panic must become
 * a finding instead of ending the check.
 *
 * @returns the operations without a plan; empty if every operation has one
 */
export function planOperations(
  supergraphSdl: string,
  operations: readonly PlannedOperation[],
): PlanFailure[] {
  const failures: PlanFailure[] = [];
  let waiting = operations;
  while (waiting.length > 0) {
    const { lines, end } = runPlanner({ supergraphSdl, operations: waiting });
    const [start, ...answers] = lines;
    if (!start || start.error !== undefined) {
      return [...failures, { operation: null, reason: start?.error ?? end }];
    }
    for (const [index, operation] of waiting.slice(0, answers.length).entries()) {
      const reason = answers[index]?.error;
      if (reason !== undefined) failures.push({ operation, reason });
    }
    const lost = waiting[answers.length];
    if (lost) failures.push({ operation: lost, reason: end });
    waiting = waiting.slice(answers.length + 1);
  }
  return failures;
}

function runPlanner(request: PlanningRequest): { lines: PlanningLine[]; end: string } {
  const { stdout, signal, status, error } = spawnSync(process.execPath, [entry], {
    input: JSON.stringify(request),
    encoding: 'utf8',
    // The planner needs no environment variables, and NODE_OPTIONS of a test runner would affect it.
    env: {},
    timeout: timeoutMs,
    maxBuffer: maxAnswerBytes,
  });
  // A process that crashes in the middle of a line leaves an incomplete line.
  const complete = stdout.slice(0, stdout.lastIndexOf('\n') + 1);
  return {
    lines: complete
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as PlanningLine),
    end: `the planner ended without an answer (${error?.message ?? signal ?? `exit code ${status}`})`,
  };
}

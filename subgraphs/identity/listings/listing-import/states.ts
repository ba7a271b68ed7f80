import { stateMachine } from '../../../platform/states/stateMachine.ts';

/** States of an import; see the transitions. */
const importStates = ['queued', 'running', 'completed', 'failed', 'canceled'] as const;

/** State of an import as it is stored. */
export type ImportState = (typeof importStates)[number];

/** All transitions. A run takes over an import that a killed run has left. */
export const { transitions, sourcesOf } = stateMachine<ImportState, 'worker'>('An import', importStates, [
  ['worker', ['queued', 'running'], 'running'],
  ['worker', ['running'], 'completed'],
  ['worker', ['running'], 'failed'],
  ['worker', ['running'], 'canceled'],
]);

import { stateMachine } from '../../../platform/states/stateMachine.ts';

/** States of an export; see the transitions. */
const exportStates = ['queued', 'running', 'ready', 'failed', 'expired'] as const;

/** State of an export as it is stored. */
export type ExportState = (typeof exportStates)[number];

/** All transitions. A run takes over an export that a killed run has left. */
export const { transitions, sourcesOf } = stateMachine<ExportState, 'worker' | 'time'>(
  'An export',
  exportStates,
  [
    ['worker', ['queued', 'running'], 'running'],
    ['worker', ['running'], 'ready'],
    ['worker', ['running'], 'failed'],
    ['time', ['ready'], 'expired'],
  ],
);

import { stateMachine } from '../../../platform/states/stateMachine.ts';

/** States of an export; see the transitions. */
const exportStates = ['queued', 'running', 'ready', 'failed', 'expired'] as const;

/** State of an export as it is stored. */
export type ExportState = (typeof exportStates)[number];

/** Every way there is. A run takes over what one that was killed has left. */
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

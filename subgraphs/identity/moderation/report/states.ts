import { stateMachine } from '../../../platform/states/stateMachine.ts';

/** States of a report; see the transitions. */
const reportStates = ['open', 'in_review', 'dismissed', 'action_taken'] as const;

/** State of a report as it is stored. */
export type ReportState = (typeof reportStates)[number];

/** All transitions. A decision is final. */
export const { transitions, isAllowed, nextStates } = stateMachine<
  ReportState,
  'reviewReport' | 'resolveReport'
>('A report', reportStates, [
  ['reviewReport', ['open'], 'in_review'],
  ['resolveReport', ['open', 'in_review'], 'dismissed'],
  ['resolveReport', ['open', 'in_review'], 'action_taken'],
]);

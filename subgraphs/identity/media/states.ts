import { stateMachine } from '../../platform/states/stateMachine.ts';

/** States of a file; see the transitions. */
export const mediaStates = [
  'awaiting_upload',
  'processing',
  'failed',
  'ready',
  'blocked',
  'deleted',
  'purged',
] as const;

/** State of a file as it is stored. */
export type MediaState = (typeof mediaStates)[number];

/** Events that change the state of a file. */
export type MediaTrigger =
  | 'completeMediaUpload'
  | 'uploadTimeout'
  | 'mediaProcessing'
  | 'mediaFailure'
  | 'updateMedia'
  | 'blockMedia'
  | 'unblockMedia'
  | 'deleteMedia'
  | 'mediaPurge';

/** All transitions. */
export const { transitions, nextStates, nextState } = stateMachine<MediaState, MediaTrigger>(
  'A file',
  mediaStates,
  [
    ['completeMediaUpload', ['awaiting_upload'], 'processing'],
    ['uploadTimeout', ['awaiting_upload'], 'failed'],
    ['mediaProcessing', ['processing'], 'ready'],
    ['mediaFailure', ['processing'], 'failed'],
    ['updateMedia', ['ready'], 'processing'],
    ['blockMedia', ['ready'], 'blocked'],
    ['unblockMedia', ['blocked'], 'ready'],
    ['deleteMedia', ['ready', 'failed', 'blocked', 'awaiting_upload'], 'deleted'],
    ['mediaPurge', ['deleted'], 'purged'],
  ],
);

/** States in which a file exists for its owner; in other states it is hidden. */
export const liveStates: readonly MediaState[] = [
  'awaiting_upload',
  'processing',
  'failed',
  'ready',
  'blocked',
];

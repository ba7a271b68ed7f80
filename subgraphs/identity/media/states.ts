import { AppError } from '../../platform/errors/AppError.ts';

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

/** What moves a file. */
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

const table: [MediaTrigger, MediaState[], MediaState][] = [
  ['completeMediaUpload', ['awaiting_upload'], 'processing'],
  ['uploadTimeout', ['awaiting_upload'], 'failed'],
  ['mediaProcessing', ['processing'], 'ready'],
  ['mediaFailure', ['processing'], 'failed'],
  ['updateMedia', ['ready'], 'processing'],
  ['blockMedia', ['ready'], 'blocked'],
  ['unblockMedia', ['blocked'], 'ready'],
  ['deleteMedia', ['ready', 'failed', 'blocked', 'awaiting_upload'], 'deleted'],
  ['mediaPurge', ['deleted'], 'purged'],
];

/** Every way there is. */
export const transitions: readonly { from: MediaState; to: MediaState; by: MediaTrigger }[] = table.flatMap(
  ([by, states, to]) => states.map((from) => ({ from, to, by })),
);

/** States that can be reached from a state, for people who ran into a refusal. */
export function nextStates(from: MediaState): MediaState[] {
  return mediaStates.filter((to) => transitions.some((way) => way.from === from && way.to === to));
}

/**
 * Where a trigger takes a file.
 *
 * @param attempted what was tried, as in `blocked`
 * @throws AppError `invalid_transition`
 */
export function nextState(state: MediaState, by: MediaTrigger, attempted: string): MediaState {
  const way = transitions.find((one) => one.from === state && one.by === by);
  if (way) return way.to;
  throw new AppError('invalid_transition', `A file in the state "${state}" cannot be ${attempted}.`, {
    allowedFrom: { state, allowed: nextStates(state) },
  });
}

/** States in which a file is there for its owner; beyond them it is remembered, and nobody is shown it. */
export const liveStates: readonly MediaState[] = [
  'awaiting_upload',
  'processing',
  'failed',
  'ready',
  'blocked',
];

import type { FieldProblem } from '../../../schema/Problem.ts';
import { assertVersion } from '../../platform/concurrency/assertVersion.ts';
import { concurrentUpdate } from '../../platform/concurrency/concurrentUpdate.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { invalidFields, notFound, problem } from '../../platform/errors/AppError.ts';
import { announce } from '../../platform/events/outbox.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import type { UpdateMediaInput } from '../identity.generated.ts';
import { assertOwnerMayChange } from './assertOwnerMayChange.ts';
import { checkAltText, checkFocalPoint } from './checkTexts.ts';
import { toFileName } from './fileName.ts';
import { MediaModel, type MediaRecord, mediaProcessingJob } from './model.ts';
import { mediaPolicy } from './policy.ts';
import { nextState } from './states.ts';

type Changes = Partial<Pick<MediaRecord, 'altText' | 'focalPoint' | 'rotation' | 'filename'>>;

const rotations: readonly number[] = [0, 90, 180, 270];

export async function updateMedia(input: UpdateMediaInput, context: RequestContext): Promise<MediaRecord> {
  const before = await mediaPolicy.load(input.mediaId, context);
  if (!before) throw notFound('The file');
  await assertOwnerMayChange(before, context);
  const { changes, problems } = read(input, before);
  if (problems.length > 0) throw invalidFields(problems);
  assertVersion(before.version, input.expectedVersion);
  const rotates = changes.rotation !== undefined && changes.rotation !== before.rotation;
  if (Object.keys(changes).length === 0) return before;
  const { platform, installationId } = context;
  const at = new Date(platform.now());
  const state = rotates ? nextState(before.state, 'updateMedia', 'rotated') : before.state;
  const record = await scoped(MediaModel, installationId).findOneAndUpdate(
    { _id: before._id, version: before.version, state: before.state },
    {
      $set: { ...changes, updatedAt: at, ...(rotates ? { state, stateAt: at, attempts: 0 } : {}) },
      $inc: { version: 1 },
      $push: announce(context, 'object.updated'),
    },
  );
  if (!record) {
    throw concurrentUpdate('file');
  }
  if (rotates) platform.signals.send(mediaProcessingJob);
  return record;
}

/** Reads the changes. An omitted member is unchanged; null clears it, if it can be empty. */
function read(
  input: UpdateMediaInput,
  { kind }: MediaRecord,
): { changes: Changes; problems: FieldProblem[] } {
  const changes: Changes = {};
  const problems: FieldProblem[] = [];
  if (input.altText !== undefined) {
    changes.altText = input.altText?.trim() || null;
    problems.push(...checkAltText(changes.altText));
  }
  if (input.focalPoint !== undefined) {
    changes.focalPoint = input.focalPoint && { x: input.focalPoint.x, y: input.focalPoint.y };
    problems.push(...checkFocalPoint(changes.focalPoint));
  }
  if (input.rotation !== undefined) {
    if (input.rotation === null || !rotations.includes(input.rotation))
      problems.push(problem('#/rotation', 'A rotation must be one of: 0, 90, 180, 270.'));
    else if (kind !== 'image') problems.push(problem('#/rotation', 'Only images can be rotated.'));
    else changes.rotation = input.rotation as MediaRecord['rotation'];
  }
  if (input.filename !== undefined) {
    changes.filename = toFileName(input.filename ?? '');
    if (changes.filename === '') problems.push(problem('#/filename', 'A file name must not be empty.'));
  }
  return { changes, problems };
}

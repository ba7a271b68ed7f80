import { ownershipRequired } from '../../../platform/auth/ownership.ts';
import { concurrentUpdate } from '../../../platform/concurrency/concurrentUpdate.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields, notFound, problem } from '../../../platform/errors/AppError.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { SubmitDisputeEvidenceInput } from '../../identity.generated.ts';
import { checkText } from '../../kernel/text/checkLine.ts';
import { holdMedia } from '../../media/holdMedia.ts';
import { mediaLoader } from '../../media/mediaLoader.ts';
import { setMediaUsage } from '../../media/setMediaUsage.ts';
import { disputeLoader, sideOf } from './policy.ts';
import { DisputeModel, type DisputeRecord, type DisputeSide, type StoredEvidence } from './record/model.ts';
import { invalidTransition, openStates } from './record/states.ts';

const longestText = 4000;
/** Maximum number of files of one side, in all of its statements. */
const mostFiles = 10;
const mostEntries = 50;

export async function submitDisputeEvidence(
  input: SubmitDisputeEvidenceInput,
  context: RequestContext,
): Promise<{ dispute: DisputeRecord }> {
  const known = await context.loader(disputeLoader).load(input.disputeId);
  if (!known) throw notFound('The dispute');
  const side = sideOf(context.viewer, known);
  if (!side) throw ownershipRequired({ type: 'Dispute', id: input.disputeId });
  const evidence = await checkEvidence(input, known, side, context);
  // An earlier run under the same key may have crashed before it responded.
  if (context.attempt.isRepeated && known.evidence.some((said) => isSame(said, evidence)))
    return { dispute: known };
  return { dispute: await append(known._id, evidence, context) };
}

async function checkEvidence(
  { text, mediaIds }: SubmitDisputeEvidenceInput,
  { dealerId }: DisputeRecord,
  by: DisputeSide,
  context: RequestContext,
): Promise<StoredEvidence> {
  const files = [...(mediaIds ?? [])];
  const problems = [...checkText(text.trim(), '#/text', { maximum: longestText })];
  if (text.trim() === '') problems.push(problem('#/text', 'Evidence needs a statement.'));
  if (files.length > mostFiles) throw tooManyFiles();
  const owners = [context.viewer.id, ...(by === 'payee' ? [dealerId] : [])];
  const found = await Promise.all(files.map((id) => context.loader(mediaLoader).load(id)));
  for (const [index, file] of found.entries()) {
    const pointer = `#/mediaIds/${index}`;
    const isUsable = file?.state === 'ready' && file.purpose === 'evidence' && owners.includes(file.owner.id);
    if (files.indexOf(files[index] ?? '') < index)
      problems.push(problem(pointer, 'This file is listed twice.'));
    else if (!isUsable) problems.push(problem(pointer, 'This file does not exist.'));
  }
  if (problems.length > 0) throw invalidFields(problems);
  const at = new Date(context.platform.now());
  return { by, userId: context.viewer.id, text: text.trim(), mediaIds: files, at };
}

function isSame(one: StoredEvidence, other: StoredEvidence): boolean {
  const words = ({ userId, text, mediaIds }: StoredEvidence) => JSON.stringify([userId, text, mediaIds]);
  return words(one) === words(other);
}

/** Appends evidence. The first statement of the dealer ends its response period. */
function append(_id: string, evidence: StoredEvidence, context: RequestContext): Promise<DisputeRecord> {
  const disputes = scoped(DisputeModel, context.installationId);
  return inTransaction(async (session) => {
    const before = await disputes.findOne({ _id }, { session });
    if (!before) throw notFound('The dispute');
    const own = before.evidence.filter(({ by }) => by === evidence.by);
    const files = own.reduce((count, { mediaIds }) => count + mediaIds.length, evidence.mediaIds.length);
    if (files > mostFiles || before.evidence.length >= mostEntries) throw tooManyFiles();
    if (!openStates.includes(before.state)) throw invalidTransition(before.state, 'argued about');
    const isAnswer = evidence.by === 'payee' && before.state === 'needs_response';
    const news = { state: isAnswer ? 'under_review' : before.state, side: evidence.by };
    const after = await disputes.findOneAndUpdate(
      { _id, version: before.version },
      {
        $push: { evidence, ...announce(context, 'dispute.updated', { data: news }) },
        $set: { updatedAt: evidence.at, ...(isAnswer && { state: 'under_review', dueAt: null }) },
        $inc: { version: 1 },
      },
      { session },
    );
    if (!after) throw concurrentUpdate();
    const named = { before: [], after: evidence.mediaIds };
    await setMediaUsage(context, { type: 'evidence', id: _id }, named, session);
    const { installationId } = context;
    await holdMedia({ installationId, type: 'dispute', id: _id, mediaIds: evidence.mediaIds }, session);
    return after;
  });
}

function tooManyFiles(): AppError {
  return new AppError(
    'too_many_media',
    `Each side can submit at most ${mostFiles} files, and both sides together at most ${mostEntries} statements.`,
  );
}

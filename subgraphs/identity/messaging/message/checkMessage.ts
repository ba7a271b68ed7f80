import type { FieldProblem } from '../../../../schema/Problem.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidFields, problem } from '../../../platform/errors/AppError.ts';
import type { SendMessageInput } from '../../identity.generated.ts';
import { checkText } from '../../kernel/text/checkLine.ts';
import { mediaLoader } from '../../media/mediaLoader.ts';

/** A message that can be stored. */
export interface MessageDraft {
  text: string | null;
  mediaIds: string[];
  clientMessageId?: string;
}

const longestText = 4000;
const mostAttachments = 5;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Validates a message.
 *
 * @param dealerId the dealer that the author writes for; null for a private author
 * @throws AppError `validation_failed` with all errors
 */
export async function checkMessage(
  input: Pick<SendMessageInput, 'text' | 'attachments' | 'clientMessageId'>,
  dealerId: string | null,
  context: RequestContext,
): Promise<MessageDraft> {
  const text = input.text?.trim() ? input.text : null;
  const mediaIds = [...(input.attachments ?? [])];
  const problems: FieldProblem[] = [];
  if (text !== null) problems.push(...checkText(text, '#/text', { maximum: longestText }));
  else if (mediaIds.length === 0)
    problems.push(problem('#/text', 'A message needs a text or an attachment.'));
  if (input.clientMessageId && !uuid.test(input.clientMessageId))
    problems.push(problem('#/clientMessageId', 'A client message id must be a UUID.'));
  problems.push(...(await checkAttachments(mediaIds, dealerId, context)));
  if (problems.length > 0) throw invalidFields(problems);
  const clientMessageId = input.clientMessageId?.toLowerCase();
  return { text, mediaIds, ...(clientMessageId ? { clientMessageId } : {}) };
}

/**
 * Returns the errors in attachments, which must belong to the author, or to the dealer that the author writes for.
 * Other files are treated as missing.
 */
async function checkAttachments(
  mediaIds: readonly string[],
  dealerId: string | null,
  context: RequestContext,
): Promise<FieldProblem[]> {
  if (mediaIds.length > mostAttachments)
    return [problem('#/attachments', `A message must have at most ${mostAttachments} attachments.`)];
  const owners = [context.viewer.id, dealerId];
  const files = await Promise.all(mediaIds.map((id) => context.loader(mediaLoader).load(id)));
  return files.flatMap((file, index) => {
    const pointer = `#/attachments/${index}`;
    if (mediaIds.indexOf(mediaIds[index] ?? '') < index)
      return [problem(pointer, 'This file is listed twice.')];
    const isUsable = file?.state === 'ready' && file.purpose === 'message' && owners.includes(file.owner.id);
    return isUsable ? [] : [problem(pointer, 'This file does not exist.')];
  });
}

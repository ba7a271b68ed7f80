import type { FieldProblem } from '../../../../schema/Problem.ts';
import { ownershipRequired } from '../../../platform/auth/ownership.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields, problem } from '../../../platform/errors/AppError.ts';
import type { SetListingMediaInput } from '../../identity.generated.ts';
import { isDeceptive } from '../../kernel/text/checkLine.ts';
import { type MediaReference, mediaLoader } from '../../media/mediaLoader.ts';
import { loadReferences } from './content/loadReferences.ts';
import { pickContent } from './content/revision.ts';
import { assertMayPost } from './lifecycle/assertMayPost.ts';
import { withListing } from './lifecycle/changeListing.ts';
import { decideContent } from './lifecycle/decideContent.ts';
import { saveListing } from './lifecycle/saveListing.ts';
import type { ListingRecord, StoredListingMedia } from './record/model.ts';

const mostFiles = 30;
const longestText = 500;

/**
 * Replaces the whole list in one write; of concurrent requests, the last one prevails. The guard checks that the
 * listing is the caller's, and the files must belong to its owner.
 */
export function setListingMedia(
  input: SetListingMediaInput,
  context: RequestContext,
): Promise<ListingRecord> {
  return withListing(context, input.listingId, async (open) => {
    const { stored, listing, dealer } = open;
    assertMayPost(context, dealer);
    const list = input.media.map(({ mediaId, altText }) => ({ mediaId, altText: altText?.trim() || null }));
    const files = await loadFiles(list, listing, context);
    const problems = [...checkList(list), ...checkFiles(files)];
    if (problems.length > 0) throw invalidFields(problems);
    if (list.length > mostFiles)
      throw new AppError('too_many_media', `A listing must have at most ${mostFiles} files.`);
    const media = list.map((file, index): StoredListingMedia => {
      return { ...file, kind: files[index]?.kind === 'video' ? 'video' : 'image' };
    });
    const content = { ...pickContent(listing), media };
    const { category } = await loadReferences(context, content, dealer);
    assertVersion(stored.version, input.expectedVersion);
    const changes = decideContent(listing, content, category, context);
    return changes ? saveListing(context, stored, changes, open) : stored;
  });
}

type Named = Omit<StoredListingMedia, 'kind'>;

function* checkList(media: readonly Named[]): Generator<FieldProblem> {
  const seen = new Set<string>();
  for (const [index, { mediaId, altText }] of media.entries()) {
    if (seen.has(mediaId)) yield problem(`#/media/${index}/mediaId`, 'This file is already in the list.');
    seen.add(mediaId);
    const text = altText ?? '';
    if ([...text].length > longestText || isDeceptive(text))
      yield problem(
        `#/media/${index}/altText`,
        `Must have at most ${longestText} characters and no control characters.`,
      );
  }
}

/**
 * Loads the files.
 *
 * @throws AppError `ownership_required` for a file of another owner
 */
async function loadFiles(
  media: readonly Named[],
  { owner }: ListingRecord,
  context: RequestContext,
): Promise<(MediaReference | null)[]> {
  const loader = context.loader(mediaLoader);
  const files = await Promise.all(media.map(({ mediaId }) => loader.load(mediaId)));
  const live = files.map((file) => (file && !goneStates.has(file.state) ? file : null));
  if (live.some((file) => file && (file.owner.type !== owner.type || file.owner.id !== owner.id)))
    throw ownershipRequired();
  return live;
}

/**
 * Returns the errors in the files. The write itself checks that an added file is ready, because no other write can
 * precede it.
 */
function checkFiles(files: readonly (MediaReference | null)[]): FieldProblem[] {
  return files.flatMap((file, index) => {
    const pointer = `#/media/${index}/mediaId`;
    if (!file) return [problem(pointer, 'This file does not exist.')];
    const fits = file.purpose === 'listing' && file.kind !== 'document';
    return fits ? [] : [problem(pointer, 'This file is not an image or video for listings.')];
  });
}

const goneStates: ReadonlySet<string> = new Set(['deleted', 'purged']);

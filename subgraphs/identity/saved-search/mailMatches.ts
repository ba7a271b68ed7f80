import type { ClientSession } from 'mongoose';
import type { Platform } from '../../platform/context/Platform.ts';
import type { Installation } from '../../platform/installation/Installation.ts';
import type { CatalogListingRecord } from '../catalog/model.ts';
import { queueMail } from '../mail/queueMail.ts';
import { defaultPreferences } from '../user/createUser.ts';
import type { UserRecord } from '../user/model.ts';
import type { SavedSearchRecord } from './model.ts';

/** Titles in a mail; it says how many more there are. */
export const mostTitles = 5;

/** What the owner of a search is told. */
interface News {
  user: UserRecord;
  search: Pick<SavedSearchRecord, 'name'>;
  /** Matches in number. */
  count: number;
  /** The newest first; at least one. */
  newest: readonly Pick<CatalogListingRecord, 'title' | 'slug'>[];
}

/** Whether somebody is told by mail about what his searches find. */
export function wantsMail({ state, emailVerified, notificationPreferences }: UserRecord): boolean {
  const { savedSearch } = { ...defaultPreferences, ...notificationPreferences };
  return state === 'active' && emailVerified && savedSearch.email;
}

/** Puts a mail on its way, in the transaction that notes what it tells. */
export async function mailMatches(
  { platform, installation }: { platform: Platform; installation: Installation },
  { user, search, count, newest }: News,
  session: ClientSession,
): Promise<void> {
  const [first] = newest;
  if (!first) throw new Error('A mail without a listing tells nothing.');
  await queueMail(
    { installationId: installation.id, platform },
    {
      to: user.email,
      locale: user.locale,
      template: 'savedSearchMatches',
      data: {
        displayName: user.displayName,
        name: search.name,
        count: String(count),
        newest: JSON.stringify(newest.slice(0, mostTitles).map(({ title }) => title)),
        more: String(Math.max(0, count - mostTitles)),
        url: `${installation.baseUrl}/listings/${first.slug}`,
      },
    },
    { session },
  );
}

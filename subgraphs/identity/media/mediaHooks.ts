import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import type { DealerState } from '../identity.generated.ts';
import { Hook } from '../kernel/hooks/Hook.ts';
import type { MediaRecord, MediaUse } from './model.ts';

/** How a kind of record refers to files. */
export interface MediaUser {
  /**
   * Removes a file from the record, in the transaction that deletes the file. A file of a record without this cannot be
   * detached.
   *
   * @throws AppError `legal_hold`
   */
  detach?(context: RequestContext, mediaId: string, recordId: string, session: ClientSession): Promise<void>;
  /** Whether the viewer may read the original of a file because of the record. */
  isReadableBy?(
    media: Pick<MediaRecord, '_id' | 'purpose' | 'usage'>,
    context: RequestContext,
  ): Promise<boolean>;
}

/** Functions of the domains above that files need. */
export interface MediaHooks {
  /** The dealer that owns files; null for an id of another installation. */
  loadDealer(context: RequestContext, dealerId: string): Promise<{ readonly state: DealerState } | null>;
  /** Records that refer to files, by the kind of reference. */
  readonly users: Readonly<Record<MediaUse['type'], MediaUser>>;
}

export const mediaHooks = new Hook<MediaHooks>('media');

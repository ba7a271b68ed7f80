import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import type { DealerState } from '../identity.generated.ts';
import { Hook } from '../kernel/hooks/Hook.ts';
import type { MediaRecord, MediaUse } from './model.ts';

/** Operations of a type of record that refers to files. */
export interface MediaUser {
  /**
   * Removes a file from the record, in the transaction that deletes the file. If omitted, a file cannot be detached
   * from records of this type.
   *
   * @throws AppError `legal_hold`
   */
  detach?(context: RequestContext, mediaId: string, recordId: string, session: ClientSession): Promise<void>;
  /** Returns whether the viewer may read the original of a file because of the record. */
  isReadableBy?(
    media: Pick<MediaRecord, '_id' | 'purpose' | 'usage'>,
    context: RequestContext,
  ): Promise<boolean>;
}

/** Functions of higher domains that the media domain needs. */
export interface MediaHooks {
  /** Returns the dealer that owns files; null for an id of another installation. */
  loadDealer(context: RequestContext, dealerId: string): Promise<{ readonly state: DealerState } | null>;
  /** Types of records that refer to files, by the type of reference. */
  readonly users: Readonly<Record<MediaUse['type'], MediaUser>>;
}

export const mediaHooks = new Hook<MediaHooks>('media');

import { recordLoader } from '../../platform/context/recordLoader.ts';
import { MediaModel, type MediaRecord } from './model.ts';

/** Requirements of a record that refers to a file. */
export type MediaReference = Pick<MediaRecord, '_id' | 'owner' | 'kind' | 'purpose' | 'state'>;

/** Files by id in any state, batched per request; null for an id of another installation. */
export const mediaLoader = recordLoader(MediaModel, { type: 'media' });

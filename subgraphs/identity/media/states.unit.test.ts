import { pathsOf } from '../../../test/support/pathsOf.ts';
import { transitions } from './states.ts';

test('a file has exactly the specified transitions', () => {
  expect(pathsOf(transitions)).toEqual({
    'completeMediaUpload -> processing': 'awaiting_upload',
    'uploadTimeout -> failed': 'awaiting_upload',
    'mediaProcessing -> ready': 'processing',
    'mediaFailure -> failed': 'processing',
    'updateMedia -> processing': 'ready',
    'blockMedia -> blocked': 'ready',
    'unblockMedia -> ready': 'blocked',
    'deleteMedia -> deleted': 'awaiting_upload blocked failed ready',
    'mediaPurge -> purged': 'deleted',
  });
});

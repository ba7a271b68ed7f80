import { Readable } from 'node:stream';
import { createMediaFromStream } from '../../subgraphs/identity/media/createMediaFromStream.ts';
import { MediaModel } from '../../subgraphs/identity/media/model.ts';
import { buildIdentity } from '../../subgraphs/identity/server.ts';
import { scoped } from '../../subgraphs/platform/installation/scoped.ts';
import { openTestStack, type TestStack } from '../../test/support/openTestStack.ts';
import { toPdf } from './toPdf.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
});
afterAll(() => stack.close());

test('a paper of the demonstration is one that an upload of it would be taken for', async () => {
  const { _id } = await createMediaFromStream(
    { installationId: stack.demo.id, platform: stack.platform },
    {
      owner: { type: 'dealer', id: 'dlr_any' },
      purpose: 'verification',
      filename: 'id.pdf',
      contentType: 'application/pdf',
      bytes: Readable.from([toPdf(['Register (extract)', 'HRB 98765 B', 'a \\ b'])]),
    },
  );
  await stack.runJob('identity.media-processing');
  const record = await scoped(MediaModel, stack.demo.id).findOne({ _id });
  expect(record).toMatchObject({ state: 'ready', kind: 'document', contentType: 'application/pdf' });
});

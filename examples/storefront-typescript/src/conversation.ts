import { type components, dataOf } from '@trigate/client';
import { client } from './client.ts';
import { el, form } from './dom.ts';

type Message = components['schemas']['Message'];

/** The conversation of the user about a listing, which shows messages as they arrive until the signal aborts. */
export async function conversationOf(listingId: string, signal: AbortSignal): Promise<Node> {
  let conversationId: string | undefined;
  for await (const conversation of client.each('/api/v1/conversations'))
    if (conversation.listingId === listingId && conversation.side === 'buyer')
      conversationId = conversation.id;
  const list = el('ul', { className: 'messages' });
  let lastSeq = 0;
  const load = async (): Promise<void> => {
    if (conversationId === undefined) return;
    const params = { path: { conversationId }, query: { after: lastSeq } };
    const { data } = await dataOf(
      client.rest.GET('/api/v1/conversations/{conversationId}/messages', { params }),
    );
    for (const message of data) {
      if (message.seq <= lastSeq) continue;
      lastSeq = message.seq;
      list.append(messageOf(message));
    }
  };
  await load();
  void follow(signal, async (id) => {
    if (id === conversationId) await load();
  });
  const text = el('textarea', { name: 'text', rows: 3, required: true });
  const photo = el('input', { name: 'photo', type: 'file', accept: 'image/jpeg,image/png,image/webp' });
  const ask = form(
    async (values) => {
      const file = values.get('photo');
      const attachments = file instanceof File && file.size > 0 ? [await upload(file)] : [];
      const body = { text: String(values.get('text')), attachments };
      if (conversationId === undefined) {
        const { id } = await dataOf(
          client.rest.POST('/api/v1/conversations', { body: { listingId, ...body } }),
        );
        conversationId = id;
      } else {
        const params = { path: { conversationId } };
        await dataOf(client.rest.POST('/api/v1/conversations/{conversationId}/messages', { params, body }));
      }
      text.value = '';
      photo.value = '';
      await load();
    },
    el('label', {}, 'Your message', text),
    el('label', {}, 'Photo', photo),
    el('button', {}, 'Send'),
  );
  return el('div', {}, list, ask);
}

function messageOf({ author, text, attachments }: Message): Node {
  const photos = attachments.map(() => el('div', {}, 'A photo is attached.'));
  return el('li', {}, el('strong', {}, author.displayName), ` ${text ?? ''}`, ...photos);
}

/** Reports the conversations with new messages. The stream continues after a lost connection. */
async function follow(
  signal: AbortSignal,
  changed: (conversationId: string) => Promise<void>,
): Promise<void> {
  try {
    for await (const { type, data } of client.events({ signal }))
      if (type === 'message.created')
        await changed(String((data as { conversationId?: string }).conversationId));
  } catch (error) {
    if (!signal.aborted) console.warn(error);
  }
}

/** Uploads a photo for a message, and waits until it is processed. */
async function upload(file: File): Promise<string> {
  const { id, upload: target } = await dataOf(
    client.rest.POST('/api/v1/media', {
      body: { filename: file.name, contentType: file.type, byteSize: file.size, purpose: 'message' },
    }),
  );
  if (!target) throw new Error('The service does not accept the photo.');
  const headers = target.headers as Record<string, string>;
  const sent = await fetch(target.url, { method: target.method, headers, body: file });
  if (!sent.ok) throw new Error(`The upload failed with ${sent.status}.`);
  const params = { path: { mediaId: id } };
  let media = await dataOf(client.rest.POST('/api/v1/media/{mediaId}/complete', { params }));
  while (media.state === 'processing') {
    await new Promise((resolve) => setTimeout(resolve, 500));
    media = await dataOf(client.rest.GET('/api/v1/media/{mediaId}', { params }));
  }
  if (media.state !== 'ready') throw new Error(media.failure?.detail ?? 'The photo was refused.');
  return id;
}

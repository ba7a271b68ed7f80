import { useMutation, useQuery, useSubscription } from '@apollo/client/react';
import { type FormEvent, useState } from 'react';
import { client } from './client.ts';
import { ASK, COMPLETE_PHOTO, CONVERSATIONS, CREATE_PHOTO, EVENTS, MESSAGES, PHOTO } from './operations.ts';

/** The conversation of the user about a listing. A second message about a listing continues the first conversation. */
export function Conversation({ listingId }: { listingId: string }) {
  const { data } = useQuery(CONVERSATIONS, { fetchPolicy: 'cache-and-network' });
  const id = data?.conversations.nodes.find((one) => one.listingId === listingId && one.side === 'BUYER')?.id;
  const [ask] = useMutation(ASK, { refetchQueries: [CONVERSATIONS, MESSAGES], awaitRefetchQueries: true });
  const [refusal, setRefusal] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = new FormData(form);
    const photo = values.get('photo');
    setBusy(true);
    setRefusal('');
    try {
      const attachments = photo instanceof File && photo.size > 0 ? [await upload(photo)] : [];
      await ask({ variables: { listingId, text: String(values.get('text')), attachments } });
      form.reset();
    } catch (error) {
      setRefusal((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div>
      {id !== undefined && <Messages id={id} />}
      <form onSubmit={submit}>
        <label>
          Your message <textarea name="text" rows={3} required />
        </label>
        <label>
          Photo <input name="photo" type="file" accept="image/jpeg,image/png,image/webp" />
        </label>
        <button type="submit" disabled={isBusy}>
          Send
        </button>
        <p role="alert">{refusal}</p>
      </form>
    </div>
  );
}

/** The messages of a conversation. An event about it reloads them. */
function Messages({ id }: { id: string }) {
  const { data, refetch } = useQuery(MESSAGES, { variables: { id }, fetchPolicy: 'cache-and-network' });
  useSubscription(EVENTS, {
    onData: ({ data: { data: delivered } }) => {
      const event = delivered?.events.event;
      if (event?.type === 'message.created' && event.conversation?.id === id) void refetch();
    },
  });
  return (
    <ul className="messages">
      {data?.messages.nodes.map(({ id: messageId, author, text, attachments }) => (
        <li key={messageId}>
          <strong>{author.displayName}</strong> {text}
          {attachments.map(({ mediaId }) => (
            <div key={mediaId}>A photo is attached.</div>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** Uploads a photo for a message, and waits until it is processed. */
async function upload(file: File): Promise<string> {
  const { name: filename, type: contentType, size: byteSize } = file;
  const { data } = await client.mutate({
    mutation: CREATE_PHOTO,
    variables: { filename, contentType, byteSize },
  });
  const { id = '', upload: target } = data?.createMedia.media ?? {};
  if (!target) throw new Error('The service does not accept the photo.');
  const headers = target.headers.map(({ name, value }): [string, string] => [name, value]);
  const sent = await fetch(target.url, { method: target.method, headers, body: file });
  if (!sent.ok) throw new Error(`The upload failed with ${sent.status}.`);
  await client.mutate({ mutation: COMPLETE_PHOTO, variables: { id } });
  for (;;) {
    const { data: read } = await client.query({
      query: PHOTO,
      variables: { id },
      fetchPolicy: 'network-only',
    });
    if (read?.media.state === 'READY') return id;
    if (read?.media.state !== 'PROCESSING')
      throw new Error(read?.media.failure?.detail ?? 'The photo was refused.');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

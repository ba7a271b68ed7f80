/** Returns the header (RFC 6266), with the extended notation of RFC 8187 for names beyond ASCII. */
export function toAttachment(filename: string): string {
  const name = filename.toWellFormed();
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const extended = encodeURIComponent(name).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${extended}`}`;
}

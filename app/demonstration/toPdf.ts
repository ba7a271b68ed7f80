/** Returns a PDF of one A4 page with a few lines of ASCII text (ISO 32000-1), the first one large. */
export function toPdf([title = '', ...lines]: readonly string[]): Buffer {
  const shown = [
    `/F1 20 Tf 72 760 Td 22 TL ${textOf(title)} Tj T* /F1 12 Tf`,
    ...lines.map((line) => `${textOf(line)} Tj T*`),
  ];
  const content = `BT ${shown.join('\n')} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ].map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`);
  let text = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((object) => {
    const offset = text.length;
    text += object;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const index = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}${index}${trailer}`, 'latin1');
}

function textOf(line: string): string {
  return `(${line.replace(/[\\()]/g, '\\$&')})`;
}

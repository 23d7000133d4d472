/** The text of a pack as it is sent, with the files beside it by their paths. */
export function packBody(text: string, files: ReadonlyMap<string, File>) {
  const beside = Array.from(files, ([name, file]) => ({ name, file }));
  return beside.length === 0 ? text : { bundle: text, files: beside };
}

import { afterEach, beforeEach } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

interface SavedFile {
  name: string;
  text: string;
}

let blobs: Blob[] = [];
let names: string[] = [];

const { createObjectURL, revokeObjectURL } = URL;
const { click } = HTMLAnchorElement.prototype;

/** The DOM of the tests has no files: what the page saves is kept here. */
beforeEach(() => {
  blobs = [];
  names = [];
  URL.createObjectURL = (blob) => `blob:${blobs.push(blob as Blob)}`;
  URL.revokeObjectURL = () => {};
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    names.push(this.download);
  };
});

/** Elements are of one realm in all files that a worker runs. */
afterEach(() => {
  Object.assign(URL, { createObjectURL, revokeObjectURL });
  HTMLAnchorElement.prototype.click = click;
});

/** Presses the button of that name and returns the file that the page saves. */
export async function savedBy(user: UserEvent, name: string): Promise<SavedFile> {
  const before = names.length;
  await user.click(await screen.findByRole('button', { name }));
  await waitFor(() => {
    if (names.length === before) throw new Error('no file is saved yet');
  });
  return { name: names.at(-1) ?? '', text: (await blobs.at(-1)?.text()) ?? '' };
}

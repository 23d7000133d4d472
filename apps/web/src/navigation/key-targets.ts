/** True where keys are text: shortcuts leave them alone. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null
  );
}

/** True when a modal dialog is open. */
export function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

import type { ApiRequest } from './api-driver.js';

/** A body that cannot be read, of the type that a route takes. */
export function unreadable(isForm: boolean, type: string, token: string): ApiRequest {
  if (!isForm)
    return { token, headers: { 'content-type': type }, body: type === 'application/yaml' ? '' : '{' };
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  return {
    token,
    headers,
    body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nbroken',
  };
}

/** A form with one file. */
export function fileForm(content: string): FormData {
  const form = new FormData();
  form.set('file', new Blob([content]), 'notes.txt');
  return form;
}

interface CallResult {
  title: string;
  /** The next step. */
  step: string;
}

/** The classes of failed calls to models, in words, with what to do. */
const RESULTS: Readonly<Record<string, CallResult>> = {
  auth: { title: 'Key refused', step: 'Enter the key of the account again.' },
  quota: { title: 'No credit left', step: 'Look at the quota and the billing of the provider.' },
  rate_limit: { title: 'Rate limit', step: 'Wait a moment, or lower "Calls at once".' },
  timeout: { title: 'Timed out', step: 'Look whether the server of the model is slow or still loads it.' },
  unavailable: { title: 'Unavailable', step: 'Look whether the server of the model is running.' },
  malformed_response: {
    title: 'Unknown reply',
    step: 'Look whether the base URL is that of the API, often ending in /v1.',
  },
  invalid_request: { title: 'Request refused', step: 'Look whether the provider has a model of this name.' },
  unsupported: { title: 'Not supported', step: 'Choose another model or provider.' },
  egress_blocked: {
    title: 'Address refused',
    step: 'An operator of the installation allows addresses of private networks.',
  },
  secret_binding: {
    title: 'Secret bound elsewhere',
    step: 'Set the secret again with the host of the base URL.',
  },
};

/** A failed call by its class. */
export function callResult(failure: string): CallResult {
  return RESULTS[failure] ?? { title: 'Failed', step: '' };
}

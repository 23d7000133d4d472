/**
 * Words that no name, comment, text or doc may contain, and the term to write (a metaphor hides the term that a reader
 * searches for). `in: 'identifiers'` leaves prose alone; `except` holds phrases in which the word is a term.
 */
export const DENY_LIST = [
  // Speech for protocols.
  { words: ['ask', 'asks', 'asked', 'asking'], use: 'request, query, require' },
  // Fields of packs keep their names.
  {
    words: ['answer', 'answers', 'answered', 'answering'],
    use: 'reply, response, result, respond',
    except: [/answer_delimiter|extract_answer|mock_answer/g],
  },
  {
    words: ['say', 'says', 'said', 'saying', 'sayings'],
    use: 'state, report, publish, log, message, payload',
  },
  {
    words: ['tell', 'tells', 'told', 'telling', 'teller', 'tellers'],
    use: 'report, notify, publish, distinguish',
  },
  { words: ['hear', 'hears', 'heard', 'hearing'], use: 'receive, subscribe, handle' },
  { words: ['speak', 'speaks', 'spoke', 'spoken'], use: 'send, publish, use the protocol' },
  { words: ['without a word', 'last words'], use: 'without a report; last output' },
  { words: ['believe', 'believes', 'believed'], use: 'trust, untrusted' },
  { words: ['parcel', 'parcels'], use: 'envelope, message, payload' },
  // People for processes.
  {
    words: ['whoever', 'nobody', 'somebody', 'everybody', 'anybody'],
    use: 'the noun: caller, client, process, user, none',
  },
  { words: ['neighbour', 'neighbours'], use: 'fake services, peer, adjacent' },
  {
    words: ['party', 'parties', 'applicant', 'applicants'],
    use: 'candidate, admitted agent',
    except: [/third[- ]party/gi],
  },
  { words: ['hungry'], use: 'unsatisfied, below its share' },
  { words: ['patience', 'patient', 'patiently'], use: 'timeout, grace period, retryWhileUnavailable' },
  // Buildings and trades.
  { words: ['house', 'houses'], use: 'repository, system, cluster' },
  { words: ['room', 'rooms'], use: 'package, capacity, free slots' },
  // A stream and its accounts keep their names.
  { words: ['door', 'doors'], use: 'API, endpoint, handler, entry point', except: [/FRONT_DOOR/g] },
  { words: ['desk', 'desks'], use: 'handler, service, fake' },
  { words: ['shelf', 'shelves'], use: 'store, repository' },
  { words: ['rulebook'], use: 'rules' },
  {
    words: ['kitchen', 'recipe', 'recipes', 'bake', 'bakes', 'baked'],
    use: 'builder, build, Dockerfile stage',
    except: [/docker-bake/g],
  },
  { words: ['town', 'towns'], use: 'fake services, test fixture' },
  {
    words: ['world', 'worlds'],
    use: 'test fixture, environment',
    except: [/hello,? world/gi, /world[- ](?:readable|writable)/gi, /World Wide/g],
  },
  { words: ['purse', 'purses'], use: 'shared budget, reserve, charge' },
  { words: ['journey', 'journeys'], use: 'request, hops, path' },
  { words: ['strike', 'strikes', 'struck'], use: 'fault, inject a fault' },
  { words: ['story', 'stories', 'midway'], use: 'renderer, reducer, snapshot' },
  { words: ['landing', 'landings'], use: 'result, delta', except: [/landing page/gi] },
  { words: ['stow', 'stows', 'stowed', 'unstow'], use: 'persist, load, suspend, resume' },
  { words: ['mend', 'mends', 'mended', 'mending'], use: 'repair, reconcile' },
  { words: ['helping', 'helpings', 'combiner'], use: 'batch, batcher' },
  { words: ['farewell'], use: 'shutdown, shutdown grace period' },
  // Subjects, tables and metrics keep their names.
  { words: ['untaken', 'given up'], use: 'unclaimed; dead letter', except: [/given[_-]up/g] },
  {
    words: ['handing out', 'hand out', 'hands out', 'handed out'],
    use: 'dispatch, dispatch policy, in flight',
    except: [/attempts_handed_out_idx/g],
  },
  { words: ['occasion', 'occasions'], use: 'admission, options' },
  { words: ['scene', 'scenes'], use: 'input, fixture' },
  { words: ['forgot', 'forgotten'], use: 'unclaimed, stale, orphaned, lost' },
  { words: ['landed'], use: 'result, scored, ended' },
  { words: ['sweep up', 'sweeps up'], use: 'clean up, dispose, close, remove' },
  // Columns keep their names.
  {
    words: ['nudge', 'nudges', 'nudged', 'nudging'],
    use: 'send a job, wake, notify, trigger',
    except: [/nudged_at|score_nudge|@map\("nudge"\)|\bnudge (?:= nudge \+|= \d|AS)/g],
  },
  // Vague verbs and adverbs.
  { words: ['anew'], use: 'again' },
  {
    words: ['stand', 'stands', 'stood'],
    use: 'is, is stored, comes; represents, replaces, matches, a placeholder',
  },
  {
    words: ['is away', 'are away', 'was away', 'were away', 'be away', 'server away'],
    use: 'unavailable, unreachable',
  },
  { words: ['go on', 'goes on', 'went on'], use: 'continue, resume' },
  // Terms of other things.
  {
    words: ['fault', 'faults'],
    use: 'problem (in a document), violation (of a policy), error',
    except: [/fault[- ]injection/gi, /segmentation fault/gi],
  },
  { words: ['complaint', 'complaints', 'complain', 'complains'], use: 'problem, error message' },
  { words: ['breach', 'breaches'], use: 'violation' },
  // A field of packs keeps its name.
  {
    words: ['refusal', 'refusals'],
    in: 'identifiers',
    use: 'the thing that is refused or returned: BlockedRequest, RejectedEntry, UrlViolation, an error, a message',
    except: [/expected_refusal_pattern/g],
  },
  { words: ['means'], in: 'identifiers', use: 'options, context, dependencies' },
  { words: ['place', 'places'], in: 'identifiers', use: 'position, slot, path, location' },
  { words: ['lot', 'lots'], in: 'identifiers', use: 'batch' },
  { words: ['away'], in: 'identifiers', use: 'unavailable, unreachable' },
];

/** Words that begin no comment: a clause in the place of a noun leaves the reader to find the noun. */
export const DENIED_OPENINGS = [
  { word: 'What', use: 'a noun at the start of a comment: "The …"' },
  { word: 'Whether', use: 'a statement at the start of a comment: "True when …"' },
];

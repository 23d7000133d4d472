// The process of the code under test.

use super::peer::{self, Reader, Show, Take};
use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::os::unix::io::FromRawFd;
use std::os::unix::net::UnixStream;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;

pub type Call = fn(&mut Reader, &mut Vec<u8>) -> Option<()>;

thread_local! {
    static OBJECTS: RefCell<HashMap<u64, Rc<dyn Any>>> = RefCell::new(HashMap::new());
    static NEXT: RefCell<u64> = RefCell::new(0);
}

/// Keeps what a function returned. `value` is never used or dropped by its owner afterwards.
pub unsafe fn keep<T: 'static>(value: *const T, out: &mut Vec<u8>) {
    let owned = std::ptr::read(value);
    let id = NEXT.with(|next| {
        *next.borrow_mut() += 1;
        *next.borrow()
    });
    OBJECTS.with(|objects| objects.borrow_mut().insert(id, Rc::new(RefCell::new(owned))));
    id.show(out);
}

pub fn object<T: 'static>(from: &mut Reader) -> Option<Rc<RefCell<T>>> {
    let id = u64::take(from)?;
    let found = OBJECTS.with(|objects| objects.borrow().get(&id).cloned())?;
    found.downcast().ok()
}

pub fn owned<T: 'static>(from: &mut Reader) -> Option<T> {
    let id = u64::take(from)?;
    let found = OBJECTS.with(|objects| objects.borrow_mut().remove(&id))?;
    let cell: Rc<RefCell<T>> = found.downcast().ok()?;
    Some(Rc::try_unwrap(cell).ok()?.into_inner())
}

pub fn serve(functions: &[Call]) {
    let descriptors = peer::given_descriptors();
    let mut link = unsafe { UnixStream::from_raw_fd(descriptors[0]) };
    std::panic::set_hook(Box::new(|_| {}));
    while let Some(message) = peer::receive(&mut link) {
        let reply = reply_of(functions, &message);
        if reply.len() > peer::MESSAGE_BYTES_MAX || peer::send(&mut link, &reply).is_none() {
            return;
        }
    }
}

fn reply_of(functions: &[Call], message: &[u8]) -> Vec<u8> {
    let mut reply = vec![peer::RESULT];
    let done = catch_unwind(AssertUnwindSafe(|| {
        let mut from = Reader { rest: message };
        let number = u32::take(&mut from)?;
        if number == peer::RELEASE {
            let id = u64::take(&mut from)?;
            drop(OBJECTS.with(|objects| objects.borrow_mut().remove(&id)));
            return Some(());
        }
        functions.get(number as usize)?(&mut from, &mut reply)
    }));
    let raised = match done {
        Ok(Some(())) => return reply,
        Ok(None) => "agentclash-grade: the object is in use".to_string(),
        Err(payload) => match payload.downcast::<String>() {
            Ok(text) => *text,
            Err(other) => other.downcast_ref::<&str>().map_or("Box<dyn Any>", |text| text).to_string(),
        },
    };
    let mut reply = vec![peer::PANIC];
    raised.show(&mut reply);
    reply
}

// Each class holds the one before it twice.
elementclass C0 { input -> Null -> output }
elementclass C1 { input -> C0 -> C0 -> output }
elementclass C2 { input -> C1 -> C1 -> output }
elementclass C3 { input -> C2 -> C2 -> output }
elementclass C4 { input -> C3 -> C3 -> output }
elementclass C5 { input -> C4 -> C4 -> output }
elementclass C6 { input -> C5 -> C5 -> output }
elementclass C7 { input -> C6 -> C6 -> output }
elementclass C8 { input -> C7 -> C7 -> output }
elementclass C9 { input -> C8 -> C8 -> output }
elementclass C10 { input -> C9 -> C9 -> output }
elementclass C11 { input -> C10 -> C10 -> output }
elementclass C12 { input -> C11 -> C11 -> output }
elementclass C13 { input -> C12 -> C12 -> output }
elementclass C14 { input -> C13 -> C13 -> output }
elementclass C15 { input -> C14 -> C14 -> output }
elementclass C16 { input -> C15 -> C15 -> output }
elementclass C17 { input -> C16 -> C16 -> output }
elementclass C18 { input -> C17 -> C17 -> output }
elementclass C19 { input -> C18 -> C18 -> output }
Idle -> C19 -> Discard;

package tree_sitter_abl

// #include <stdbool.h>
// #include <stdint.h>
//
// // What this needs of tree-sitter's api.h, which the binding has for itself.
// typedef struct { uint32_t context[4]; const void *id; const void *tree; } TSNode;
// typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;
// TSTreeCursor ts_tree_cursor_new(TSNode);
// void ts_tree_cursor_delete(TSTreeCursor *);
// TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
// uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
// bool ts_tree_cursor_goto_parent(TSTreeCursor *);
// bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
// bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
// uint32_t ts_node_start_byte(TSNode);
// uint32_t ts_node_end_byte(TSNode);
// uint16_t ts_node_symbol(TSNode);
//
// typedef struct { TSNode node; uint32_t start, end; uint16_t symbol; } abl_child;
// typedef struct { uint32_t start, end, next; uint16_t symbol, field; } abl_node;
//
// // abl_children writes the children of a node, at most max, and returns how many there are.
// static uint32_t abl_children(TSNode node, abl_child *out, uint32_t max) {
//   uint32_t count = 0;
//   TSTreeCursor cursor = ts_tree_cursor_new(node);
//   if (ts_tree_cursor_goto_first_child(&cursor)) {
//     do {
//       if (count < max) {
//         TSNode n = ts_tree_cursor_current_node(&cursor);
//         out[count] = (abl_child){n, ts_node_start_byte(n), ts_node_end_byte(n), ts_node_symbol(n)};
//       }
//       count++;
//     } while (ts_tree_cursor_goto_next_sibling(&cursor));
//   }
//   ts_tree_cursor_delete(&cursor);
//   return count;
// }
//
// // abl_nodes writes a node and all below it that begin at limit or before, in pre-order, at
// // most max, which is 1 or more. It returns how many there are, or max + 1 for more.
// static uint32_t abl_nodes(TSNode node, uint32_t limit, abl_node *out, uint32_t max) {
//   uint32_t count = 0, above = UINT32_MAX; // next is the index of the node above until a node is left
//   TSTreeCursor cursor = ts_tree_cursor_new(node);
//   for (;;) {
//     TSNode n = ts_tree_cursor_current_node(&cursor);
//     uint32_t start = ts_node_start_byte(n);
//     bool inside = start <= limit || count == 0;
//     if (inside) {
//       if (count == max) {
//         count++;
//         break;
//       }
//       out[count] = (abl_node){start, ts_node_end_byte(n), above, ts_node_symbol(n), ts_tree_cursor_current_field_id(&cursor)};
//       above = count++;
//       if (ts_tree_cursor_goto_first_child(&cursor)) continue;
//     } else if (!ts_tree_cursor_goto_parent(&cursor)) { // what follows begins later still
//       break;
//     }
//     // The cursor is on the node `above`, which is done.
//     for (;;) {
//       uint32_t up = out[above].next;
//       out[above].next = count;
//       above = up;
//       if (above == UINT32_MAX) goto end;
//       if (ts_tree_cursor_goto_next_sibling(&cursor)) break;
//       if (!ts_tree_cursor_goto_parent(&cursor)) goto end;
//     }
//   }
// end:
//   ts_tree_cursor_delete(&cursor);
//   return count;
// }
import "C"

import (
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// Child is a child of a node. It is valid as long as its tree.
type Child struct {
	node       C.TSNode
	start, end C.uint32_t
	symbol     C.uint16_t
}

// Start returns the offset of the first byte.
func (c *Child) Start() int { return int(c.start) }

// End returns the offset after the last byte.
func (c *Child) End() int { return int(c.end) }

// Symbol returns the number of the child's symbol in the grammar.
func (c *Child) Symbol() int { return int(c.symbol) }

// Root returns the root of a tree. It copies the C node out of the binding's.
func Root(tree *sitter.Tree) Child {
	n := tree.RootNode()
	return Child{
		node:  *(*C.TSNode)(unsafe.Pointer(n)),
		start: C.uint32_t(n.StartByte()), end: C.uint32_t(n.EndByte()), symbol: C.uint16_t(n.Symbol()),
	}
}

// Children returns the children of a node, by one call of C.
func (c *Child) Children() []Child {
	const most = 16 // that most nodes have
	children := make([]Child, most)
	for {
		count := int(C.abl_children(c.node, (*C.abl_child)(unsafe.Pointer(&children[0])), C.uint32_t(len(children))))
		if count <= len(children) {
			return children[:count]
		}
		children = make([]Child, count)
	}
}

// Node is a node of a subtree in pre-order.
type Node struct {
	Start, End    uint32 // offsets of bytes
	Next          uint32 // the index after the last node below it
	Symbol, Field uint16 // as the grammar numbers them; 0 for no field
}

// Nodes returns the node and all nodes below it that begin at the limit or before, by one call
// of C. It uses buffer if that is large enough.
func (c *Child) Nodes(limit int, buffer []Node) []Node {
	const least = 256
	if len(buffer) == 0 {
		buffer = make([]Node, least)
	}
	for {
		count := int(C.abl_nodes(c.node, C.uint32_t(limit), (*C.abl_node)(unsafe.Pointer(&buffer[0])), C.uint32_t(len(buffer))))
		if count <= len(buffer) {
			return buffer[:count]
		}
		buffer = make([]Node, 4*len(buffer))
	}
}
